import Foundation
import Logging

/// Writes each message as one line of text, whatever it holds.
struct TextLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let write: @Sendable (Data) -> Void

    /// A handler of the logger `label` that hands each line, with its end, to `write`.
    init(label: String, level: Logger.Level, write: @escaping @Sendable (Data) -> Void) {
        self.label = label
        logLevel = level
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let provided = metadataProvider?.get() ?? [:]
        let all = metadata.merging(provided) { $1 }.merging(event.metadata ?? [:]) { $1 }
        let fields = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let line = "\(time) \(event.level) \(label):\(fields) \(event.message)"
        write(Data((line.escaped { "\\u{\($0)}" } + "\n").utf8))
    }
}
