import Configuration
import ServerPlatform

/// A value of JSON. `JSONSerialization`, which has such values, is part of Foundation's internationalization.
enum JSONValue: Equatable, Sendable {
    /// A value that is absent.
    case null
    /// `true` or `false`.
    case flag(Bool)
    /// A number without fraction, which may have been written as `1e9`.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A string.
    case text(String)
    /// An array.
    case list([JSONValue])
    /// An object.
    case object([String: JSONValue])

    /// Returns the value as one of a setting; `nil` if it has another type.
    func content(of type: ConfigType) -> ConfigContent? {
        switch (type, self) {
        case (.string, .text(let text)): .string(text)
        case (.int, .integer(let number)): .int(number)
        case (.double, .integer(let number)): .double(Double(number))
        case (.double, .number(let number)): .double(number)
        case (.bool, .flag(let flag)): .bool(flag)
        case (.stringArray, .list(let values)):
            values.reduce([]) { (texts: [String]?, value) in
                guard let texts, case .text(let text) = value else { return nil }
                return texts + [text]
            }
            .map { .stringArray($0) }
        default: nil
        }
    }
}

extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let values = try? container.decode([JSONValue].self) {
            self = .list(values)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}

extension JSONValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
