import Configuration
import Darkroom

/// Reads settings, and records each with its value, so that the effective configuration can be printed.
struct SettingsReader {
    private let config: ConfigReader

    /// The settings read so far, one per line. For secrets, only their number is shown.
    private(set) var lines: [String] = []

    private var keys: [String] = []

    /// Creates a reader of `config`.
    init(_ config: ConfigReader) { self.config = config }

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

    /// Reads the number at `key`, from `least` to one billion: durations beyond that many seconds cannot be
    /// represented.
    mutating func double(_ key: String, default value: Double, atLeast least: Double = 0) async throws -> Double {
        let value = try await fetch(key) { try await config.fetchDouble(forKey: ConfigKey(key), default: value) }
        guard value >= least, value <= 1e9 else {
            throw SettingsError("\(key) is \(value), but must be from \(least) to 1,000,000,000")
        }
        record(key, value: "\(value)")
        return value
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
        record(key, value: "\(value ?? "")")
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads the list at `key`.
    mutating func list(_ key: String, default values: [String] = [], isSecret: Bool = false) async throws -> [String] {
        let values = try await fetch(key) {
            try await config.fetchStringArray(forKey: ConfigKey(key), isSecret: isSecret, default: values)
        }
        record(key, value: "\(isSecret ? "<\(values.count) secret>" : values.joined(separator: ","))")
        return values
    }

    /// Reads the list at `key`, whose items have the form `NAME=VALUE`.
    mutating func pairs(_ key: String) async throws -> [(name: String, value: String)] {
        try await list(key).map { item in
            let parts = item.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1).map { String(Substring($0)) }
            guard parts.count == 2 else { throw SettingsError("\(key) contains \(item), which is not NAME=VALUE") }
            return (parts[0], parts[1])
        }
    }

    /// Throws an error if `arguments` contain an unknown flag, which would otherwise be ignored.
    func checkFlags(_ arguments: [String]) throws(SettingsError) {
        let known = Set(keys.map(Self.flag) + ["--config", "--print-config"])
        for argument in arguments where argument.utf8.first == UInt8(ascii: "-") && Double(argument) == nil {
            let flag = String(Substring(argument.utf8.prefix { $0 != UInt8(ascii: "=") }))
            guard known.contains(flag) else {
                throw SettingsError("\(flag) is not a setting; --print-config lists all settings")
            }
        }
    }

    /// Returns the flag of a key: `--http-drain-seconds` for `http.drainSeconds`.
    private static func flag(_ key: String) -> String {
        var flag = Array("--".utf8)
        for byte in key.utf8 {
            let isUppercase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            if isUppercase || byte == UInt8(ascii: ".") { flag.append(UInt8(ascii: "-")) }
            if byte != UInt8(ascii: ".") { flag.append(isUppercase ? byte | 0x20 : byte) }
        }
        return String(decoding: flag, as: UTF8.self)
    }

    private mutating func record(_ key: String, value: String) {
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

/// An error in the settings: one sentence that names the key.
struct SettingsError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
