#if S3
    import DarkroomCore

    /// The sections of a credentials file: lines `[name]`, each followed by lines `key = value`.
    struct CredentialsFile {
        private let lines: [Substring]

        init(_ text: String) {
            lines = text.fields(separatedBy: UInt8(ascii: "\n")).map { line in
                line.utf8.last == UInt8(ascii: "\r") ? Substring(line.utf8.dropLast()) : line
            }
        }

        /// Returns the values of the section `name` by their keys in lowercase; empty if there is no such section.
        func section(_ name: String) -> [String: String] {
            var (isInside, values) = (false, [String: String]())
            for line in lines {
                let text = line.trimmed
                if text.utf8.first == UInt8(ascii: "[") {
                    let title = Substring(text.utf8.dropFirst().prefix { $0 != UInt8(ascii: "]") }).trimmed
                    isInside = title.hasBytes(of: name)
                } else if isInside, !Self.isComment(text) {
                    let parts = text.fields(separatedBy: UInt8(ascii: "="), maxSplits: 1)
                    guard parts.count == 2 else { continue }
                    values[parts[0].trimmed.asciiLowercased] = String(parts[1].trimmed)
                }
            }
            return values
        }

        private static func isComment(_ line: Substring) -> Bool {
            line.utf8.first == UInt8(ascii: "#") || line.utf8.first == UInt8(ascii: ";")
        }
    }
#endif
