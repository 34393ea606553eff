import Console
import Darkroom

/// A JSON object on one line, with its fields in the given order.
struct JSONLine {
    private let fields: KeyValuePairs<String, any JSONValue>

    init(_ fields: KeyValuePairs<String, any JSONValue>) { self.fields = fields }

    /// Prints the object to standard output.
    func print() { FileDescriptor.standardOutput.print(json) }
}

/// A value that can be written as JSON.
protocol JSONValue: Sendable {
    /// The JSON text, without line breaks.
    var json: String { get }
}

extension JSONLine: JSONValue {
    var json: String { "{" + fields.map { "\($0.key.json):\($0.value.json)" }.joined(separator: ",") + "}" }
}

extension Optional: JSONValue where Wrapped: JSONValue {
    var json: String { self?.json ?? "null" }
}

extension Array: JSONValue where Element: JSONValue {
    var json: String { "[" + map(\.json).joined(separator: ",") + "]" }
}

extension [String: String]: JSONValue {
    /// The JSON text, with sorted keys.
    var json: String {
        "{" + sorted { $0.key < $1.key }.map { "\($0.key.json):\($0.value.json)" }.joined(separator: ",") + "}"
    }
}

extension Int: JSONValue {
    var json: String { "\(self)" }
}

extension Bool: JSONValue {
    var json: String { "\(self)" }
}

extension Double: JSONValue {
    var json: String { isFinite ? "\(self)" : "null" }
}

extension String: JSONValue {
    var json: String { "\"" + unicodeScalars.map(\.jsonEscaped).joined() + "\"" }
}

extension Unicode.Scalar {
    fileprivate var jsonEscaped: String {
        switch self {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case _ where systemByte != nil: "\\\\x\(String(systemByte ?? 0, radix: 16))"
        case _ where isUnprintable: "\\u" + String(value, radix: 16).padded(to: 4, with: "0")
        default: String(self)
        }
    }
}

extension ImageError: JSONValue {
    var json: String {
        JSONLine(["kind": kind.rawValue, "stage": stage.rawValue, "message": message]).json
    }
}
