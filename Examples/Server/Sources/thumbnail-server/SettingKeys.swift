/// The names of all settings: keys, flags and environment variables.
struct SettingKeys {
    /// Variables that a program reads besides settings.
    private static let others = ["config", "printConfig"]

    private let keys: [String]

    /// Creates the names of the settings with these keys.
    init(_ keys: [String]) { self.keys = keys + Self.others }

    /// Throws an error if `arguments` contain an unknown flag, or a value without one.
    func check(arguments: [String]) throws(SettingsError) {
        let known = Dictionary(uniqueKeysWithValues: keys.map { (Self.flag($0), $0) })
        if let first = arguments.first, first.utf8.first != UInt8(ascii: "-") {
            throw SettingsError("\(first) is no flag; write --KEY VALUE, or --config FILE")
        }
        for argument in arguments where argument.utf8.first == UInt8(ascii: "-") && Double(argument) == nil {
            let flag = String(Substring(argument.utf8.prefix { $0 != UInt8(ascii: "=") }))
            guard known[flag] != nil else { throw unknown(flag, among: Array(known.keys)) }
        }
    }

    /// Throws an error if one of the environment variables called `names` begins as a setting does, but is none.
    func check(environment names: some Sequence<String>) throws(SettingsError) {
        let known = keys.map(Self.variable)
        for name in names.sorted() where name.utf8.starts(with: "DARKROOM_".utf8) {
            guard known.contains(name) else { throw unknown(name, among: known) }
        }
    }

    /// Throws an error if the file contains a value at one of `paths` that is no setting, or an object in place of one.
    func check(file paths: [String]) throws(SettingsError) {
        for path in paths.sorted() where !keys.contains(path) {
            if let key = keys.first(where: { path.utf8.starts(with: ($0 + ".").utf8) }) {
                throw SettingsError("\(key) is an object in the file, but must be a value or a list; see \(path)")
            }
            throw unknown(path, among: keys)
        }
    }

    private func unknown(_ name: String, among known: [String]) -> SettingsError {
        let nearest = known.sorted().min { $0.distance(to: name) < $1.distance(to: name) } ?? ""
        return SettingsError("\(name) is not a setting; the nearest one is \(nearest), and --print-config lists all")
    }

    /// Returns the flag of a key: `--http-drain-seconds` for `http.drainSeconds`.
    static func flag(_ key: String) -> String {
        "--" + words(of: key).map { String(decoding: $0.map { $0 | 0x20 }, as: UTF8.self) }.joined(separator: "-")
    }

    /// Returns the environment variable of a key: `DARKROOM_HTTP_DRAIN_SECONDS` for `http.drainSeconds`.
    static func variable(_ key: String) -> String {
        (["DARKROOM"] + words(of: key).map { String(decoding: $0.map { $0 & ~0x20 }, as: UTF8.self) })
            .joined(separator: "_")
    }

    /// Returns the words of a key, which begin after a full stop and with an uppercase letter. Keys consist of letters.
    private static func words(of key: String) -> [[UInt8]] {
        var words: [[UInt8]] = [[]]
        for byte in key.utf8 {
            if byte == UInt8(ascii: ".") {
                words.append([])
            } else if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
                words.append([byte])
            } else {
                words[words.count - 1].append(byte)
            }
        }
        return words
    }
}

extension String {
    /// Returns the number of bytes to insert, delete or replace, regardless of letter case. Only the first 64 count.
    fileprivate func distance(to other: String) -> Int {
        let left = utf8.prefix(64).map { $0 | 0x20 }
        let right = other.utf8.prefix(64).map { $0 | 0x20 }
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var (diagonal, next) = (row[0], [i + 1])
            for (j, otherLetter) in right.enumerated() {
                next.append(Swift.min(row[j + 1] + 1, next[j] + 1, diagonal + (letter == otherLetter ? 0 : 1)))
                diagonal = row[j + 1]
            }
            row = next
        }
        return row[right.count]
    }
}
