import Logging
import ServerPlatform

/// Writes each message as one line, even if it contains line breaks.
struct LineLogHandler: LogHandler {
    /// The format of a line.
    enum Format: Sendable {
        /// Text for people.
        case text
        /// A JSON object, for programs that collect logs.
        case json
    }

    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: Format
    private let output: LogOutput

    /// Creates a handler for the logger `label` that appends each line, including its line break, to `output`.
    init(label: String, level: Logger.Level, format: Format, output: LogOutput) {
        self.label = label
        self.format = format
        logLevel = level
        self.output = output
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let provided = metadataProvider?.get() ?? [:]
        var all = metadata.merging(provided) { $1 }.merging(event.metadata ?? [:]) { $1 }
        all = all.mapValues(Self.withoutSecrets)
        var event = event
        event.message = .init(stringLiteral: Secrets.removed(from: event.message.description))
        let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let line = format == .json ? json(event, time: time, metadata: all) : text(event, time: time, metadata: all)
        let lostCount = line.map { output.append(Data(($0 + "\n").utf8)) } ?? 0
        guard lostCount > 0 else { return }
        Logger(label: label) { _ in self }
            .warning("lines lost before the last one", metadata: ["count": "\(lostCount)"])
    }

    private static func withoutSecrets(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        switch value {
        case .string(let text): .string(Secrets.removed(from: text))
        case .stringConvertible(let value): .string(Secrets.removed(from: value.description))
        case .array(let values): .array(values.map(withoutSecrets))
        case .dictionary(let values): .dictionary(values.mapValues(withoutSecrets))
        }
    }

    private func text(_ event: LogEvent, time: String, metadata: Logger.Metadata) -> String? {
        let fields = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return "\(time) \(event.level) \(label):\(fields) \(event.message)".escaped { "\\u{\($0)}" }
    }

    private func json(_ event: LogEvent, time: String, metadata: Logger.Metadata) -> String? {
        // Metadata cannot replace the fields of the line itself.
        var line = metadata.mapValues(Self.value)
        line["time"] = .text(time)
        line["level"] = .text(event.level.rawValue)
        line["logger"] = .text(label)
        line["message"] = .text(event.message.description)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(line) else { return nil }
        // The encoder escapes only the control characters of ASCII; terminals interpret others as well.
        return String(decoding: data, as: UTF8.self).escaped { "\\u\($0)" }
    }

    private static func value(_ value: Logger.Metadata.Value) -> JSONValue {
        switch value {
        case .string(let text): .text(text)
        case .stringConvertible(let value): .text(value.description)
        case .array(let values): .list(values.map(Self.value))
        case .dictionary(let values): .object(values.mapValues(Self.value))
        }
    }
}
