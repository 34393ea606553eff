import Foundation
import Logging

/// Writes each message as one line, whatever it contains.
struct LineLogHandler: LogHandler {
    /// The form of a line.
    enum Form: Sendable {
        /// Text for readers.
        case text
        /// An object of JSON, for programs that collect logs.
        case json
    }

    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let form: Form
    private let write: @Sendable (Data) -> Void

    /// Creates a handler for the logger `label` that passes each line, with its end, to `write`.
    init(label: String, level: Logger.Level, form: Form, write: @escaping @Sendable (Data) -> Void) {
        self.label = label
        self.form = form
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
        let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let line = form == .json ? json(event, time, all) : text(event, time, all)
        if let line { write(Data((line + "\n").utf8)) }
    }

    private func text(_ event: LogEvent, _ time: String, _ metadata: Logger.Metadata) -> String? {
        let fields = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return "\(time) \(event.level) \(label):\(fields) \(event.message)".escaped { "\\u{\($0)}" }
    }

    private func json(_ event: LogEvent, _ time: String, _ metadata: Logger.Metadata) -> String? {
        // Metadata cannot replace the fields of the line itself.
        var line = metadata.mapValues(Self.value)
        line["time"] = time
        line["level"] = event.level.rawValue
        line["logger"] = label
        line["message"] = event.message.description
        guard let data = try? JSONSerialization.data(withJSONObject: line, options: .sortedKeys) else { return nil }
        // The encoder escapes only the control characters of ASCII; terminals interpret others as well.
        return String(decoding: data, as: UTF8.self).escaped { "\\u\($0)" }
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
