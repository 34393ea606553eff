import Configuration
import Darkroom

/// Reads settings one by one, and notes each with its value, so that what is in force can be printed.
struct SettingsReader {
    private let config: ConfigReader

    /// The settings read so far, a line each. Of secrets, only how many there are.
    private(set) var lines: [String] = []

    private var keys: [String] = []

    /// A reader of `config`.
    init(_ config: ConfigReader) { self.config = config }

    /// The whole number at `key`, which is at least `least`.
    mutating func int(_ key: String, default value: Int, atLeast least: Int = 1) async throws -> Int {
        let value = try await fetch(key) { try await config.fetchInt(forKey: ConfigKey(key), default: value) }
        guard value >= least else { throw SettingsError("\(key) is \(value), and must be at least \(least)") }
        note(key, "\(value)")
        return value
    }

    /// The number at `key`, from 0 to a billion: more seconds than that cannot be waited for.
    mutating func double(_ key: String, default value: Double) async throws -> Double {
        let value = try await fetch(key) { try await config.fetchDouble(forKey: ConfigKey(key), default: value) }
        guard (0...1e9).contains(value) else {
            throw SettingsError("\(key) is \(value), and must be from 0 to 1,000,000,000")
        }
        note(key, "\(value)")
        return value
    }

    /// Yes or no at `key`.
    mutating func bool(_ key: String, default value: Bool) async throws -> Bool {
        let value = try await fetch(key) { try await config.fetchBool(forKey: ConfigKey(key), default: value) }
        note(key, "\(value)")
        return value
    }

    /// The text at `key`; `nil` for none, or an empty one.
    mutating func text(_ key: String, default value: String? = nil) async throws -> String? {
        let value = try await fetch(key) { try await config.fetchString(forKey: ConfigKey(key)) } ?? value
        note(key, "\(value ?? "")")
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The list at `key`, empty unless it is set.
    mutating func list(_ key: String, isSecret: Bool = false) async throws -> [String] {
        let values = try await fetch(key) {
            try await config.fetchStringArray(forKey: ConfigKey(key), isSecret: isSecret, default: [])
        }
        note(key, "\(isSecret ? "<\(values.count) secret>" : values.joined(separator: ","))")
        return values
    }

    /// The list at `key`, each item of which is `NAME=VALUE`.
    mutating func pairs(_ key: String) async throws -> [(name: String, value: String)] {
        try await list(key).map { item in
            let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw SettingsError("\(key) holds \(item), which is not NAME=VALUE") }
            return (parts[0], parts[1])
        }
    }

    /// Throws for a flag among `arguments` that sets nothing, which would otherwise be passed over.
    func checkFlags(_ arguments: [String]) throws(SettingsError) {
        let known = Set(keys.map(Self.flag) + ["--config", "--print-config"])
        for flag in arguments.filter({ $0.hasPrefix("-") && Double($0) == nil }).map({ $0.prefix { $0 != "=" } })
        where !known.contains(String(flag)) {
            throw SettingsError("there is no flag \(flag); --print-config shows what can be set")
        }
    }

    /// `--http-drain-seconds` for `http.drainSeconds`.
    private static func flag(_ key: String) -> String {
        "--" + key.map { $0 == "." ? "-" : $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    }

    private mutating func note(_ key: String, _ value: String) {
        keys.append(key)
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

/// Why settings cannot be used: one sentence that names the key.
struct SettingsError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
