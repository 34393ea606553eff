import Foundation
import Logging

/// Writes each message as a line of JSON, for programs that gather logs.
struct JSONLogHandler: LogHandler {
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
        // Its own fields cannot be taken by metadata of the same name.
        var line = all.mapValues(Self.value)
        line["time"] = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        line["level"] = event.level.rawValue
        line["logger"] = label
        line["message"] = event.message.description
        guard let data = try? JSONSerialization.data(withJSONObject: line, options: .sortedKeys) else { return }
        // The encoder escapes the control characters of ASCII only, and leaves those that terminals heed besides.
        let text = String(decoding: data, as: UTF8.self).escaped { "\\u\($0)" }
        write(Data((text + "\n").utf8))
    }

    private static func value(_ value: Logger.Metadata.Value) -> Any {
        switch value {
        case .string(let text): text
        case .stringConvertible(let value): value.description
        case .array(let values): values.map(Self.value)
        case .dictionary(let values): values.mapValues(Self.value)
        }
    }
}
