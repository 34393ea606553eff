import Configuration
import ServerPlatform

/// The file that `--config` names: a JSON object, whose values are settings.
struct ConfigurationFile: FileConfigSnapshot {
    /// The file needs none.
    struct ParsingOptions: FileParsingOptions {
        static let `default` = ParsingOptions()
    }

    let providerName: String
    private let values: [String: JSONValue]

    /// Reads the settings from `data`; a value that is `null` counts as missing.
    init(data: RawSpan, providerName: String, parsingOptions: ParsingOptions) throws {
        self.providerName = providerName
        values = try Self.values(of: unsafe data.withUnsafeBytes { unsafe Data($0) })
    }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let path = key.components.joined(separator: ".")
        guard let value = values[path], value != .null else { return LookupResult(encodedKey: path, value: nil) }
        guard let content = value.content(of: type) else { throw Mismatch(type: type) }
        return LookupResult(encodedKey: path, value: ConfigValue(content, isSecret: false))
    }

    var description: String { "\(providerName)[\(values.count) values]" }

    var debugDescription: String { description }

    /// Returns the paths of all values in `json`, such as `http.port`. Empty objects count as values.
    static func paths(of json: Data) -> [String] { ((try? values(of: json)) ?? [:]).keys.sorted() }

    /// Returns the values in `json` by their paths. Those of empty objects end with a full stop.
    private static func values(of json: Data) throws -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        var rest = try JSONDecoder().decode([String: JSONValue].self, from: json).map {
            (path: $0.key, value: $0.value)
        }
        while let (path, value) = rest.popLast() {
            if case .object(let members) = value {
                rest += members.map { ("\(path).\($0.key)", $0.value) }
                if members.isEmpty { values[path + "."] = value }
            } else {
                values[path] = value
            }
        }
        return values
    }

    /// A value whose type is not that of its setting.
    private struct Mismatch: Error, CustomStringConvertible {
        let type: ConfigType

        var description: String { "the value in the file is not of the type \(type)" }
    }
}
