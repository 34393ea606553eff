import Configuration
import Darkroom

/// Reads settings, and records each with its value, so that the effective configuration can be printed.
struct SettingsReader {
    private let config: ConfigReader
    private let arguments: [String]

    /// The settings read so far, one per line. For secrets, only their number is shown, and URLs have none.
    private(set) var lines: [String] = []

    private var keyList: [String] = []

    /// The names of the settings read so far.
    var keys: SettingKeys { SettingKeys(keyList) }

    /// Creates a reader of `config`, which includes the flags in `arguments`.
    init(_ config: ConfigReader, arguments: [String] = []) {
        self.config = config
        self.arguments = arguments
    }

    /// Reads the integer at `key`, from `least` to `most`.
    mutating func int(
        _ key: String, default value: Int, atLeast least: Int = 1, atMost most: Int = .max
    ) async throws -> Int {
        let value = try await fetch(key) { try await config.fetchInt(forKey: ConfigKey(key), default: value) }
        guard value >= least else { throw SettingsError("\(key) is \(value), but must be at least \(least)") }
        guard value <= most else { throw SettingsError("\(key) is \(value), but must be at most \(most)") }
        record(key, value: "\(value)")
        return value
    }

    /// Reads the number at `key`, from `least` to `most`: durations beyond one billion seconds cannot be represented.
    mutating func double(
        _ key: String, default value: Double, atLeast least: Double = 0, atMost most: Double = 1e9
    ) async throws -> Double {
        let value = try await fetch(key) { try await config.fetchDouble(forKey: ConfigKey(key), default: value) }
        guard value >= least, value <= most else {
            throw SettingsError("\(key) is \(value), but must be from \(least) to \(most)")
        }
        record(key, value: "\(value)")
        return value
    }

    /// Reads the duration in seconds at `key`.
    mutating func seconds(_ key: String, default value: Duration, atLeast least: Double = 0) async throws -> Duration {
        .seconds(try await double(key, default: value / .seconds(1), atLeast: least))
    }

    /// Reads the Boolean value at `key`.
    mutating func bool(_ key: String, default value: Bool) async throws -> Bool {
        let value = try await fetch(key) { try await config.fetchBool(forKey: ConfigKey(key), default: value) }
        record(key, value: "\(value)")
        return value
    }

    /// Reads the text at `key`; `nil` when it is missing or empty.
    mutating func text(_ key: String, default value: String? = nil) async throws -> String? {
        let value = try await fetch(key) { try await config.fetchString(forKey: ConfigKey(key)) } ?? value
        record(key, value: Secrets.removed(from: value ?? ""))
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads the text at `key`, which may be a number in the file.
    mutating func textOrNumber(_ key: String, default value: Int) async throws -> String {
        let text = try await fetch(key) {
            do {
                return try await config.fetchString(forKey: ConfigKey(key), default: "\(value)")
            } catch {
                let number = try await config.fetchDouble(forKey: ConfigKey(key), default: Double(value))
                return Int(exactly: number).map { "\($0)" } ?? "\(number)"
            }
        }
        record(key, value: text)
        return text
    }

    /// Reads the list at `key`.
    mutating func list(_ key: String, default values: [String] = [], isSecret: Bool = false) async throws -> [String] {
        let values = try await fetch(key) {
            try await config.fetchStringArray(forKey: ConfigKey(key), isSecret: isSecret, default: values)
        }
        let text = values.map { Secrets.removed(from: $0) }.joined(separator: ",")
        record(key, value: isSecret ? "<\(values.count) secret>" : text)
        return values
    }

    /// Reads the list at `key`, whose items have the form `NAME=VALUE`.
    ///
    /// Each argument of the flag is one item, because values may contain commas. In an environment variable commas
    /// separate items, so what follows one belongs to the item before if it has no name.
    mutating func pairs(_ key: String) async throws -> [(name: String, value: String)] {
        let equals = UInt8(ascii: "=")
        var items: [String] = []
        let (listed, written) = (try await list(key), flagArguments(of: key))
        for item in written ?? listed {
            if written == nil, !item.utf8.contains(equals), let last = items.popLast() {
                items.append("\(last),\(item)")
            } else {
                items.append(item)
            }
        }
        return try items.map { item in
            let parts = item.utf8.split(separator: equals, maxSplits: 1).map { String(Substring($0)) }
            guard parts.count == 2 else { throw SettingsError("\(key) contains \(item), which is not NAME=VALUE") }
            return (parts[0], parts[1])
        }
    }

    /// Returns the arguments of the flag of `key`, undivided; `nil` without the flag.
    private func flagArguments(of key: String) -> [String]? {
        let flag = SettingKeys.flag(key)
        var (found, isOpen): ([String]?, Bool) = (nil, false)
        for argument in arguments {
            if argument.utf8.starts(with: "--".utf8) {
                isOpen = argument == flag
                if isOpen { found = found ?? [] }
                if argument.utf8.starts(with: "\(flag)=".utf8) {
                    found = (found ?? []) + [String(Substring(argument.utf8.dropFirst(flag.utf8.count + 1)))]
                }
            } else if isOpen {
                found?.append(argument)
            }
        }
        return found
    }

    private mutating func record(_ key: String, value: String) {
        keyList.append(key)
        lines.append("\(key) = \(value)")
    }

    private func fetch<Value>(_ key: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw SettingsError("\(key) cannot be read: \(error)")
        }
    }
}

/// An error in the settings: one sentence that names the key.
struct SettingsError: Error, CustomStringConvertible {
    let description: String

    /// Creates an error with `description`, without the secrets in URLs that it quotes.
    init(_ description: String) { self.description = Secrets.removed(from: description) }
}
