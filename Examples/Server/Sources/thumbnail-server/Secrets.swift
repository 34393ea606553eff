import Darkroom

/// The removal of secrets from text that is printed or logged.
enum Secrets {
    /// Returns `text` with the user names, passwords, values of query items and fragments of URLs replaced, including
    /// those of URLs that are escaped, and of addresses such as `user:password@host`.
    static func removed(from text: String) -> String {
        guard mayContainURL(text) else { return text }
        // The redaction limits the length of a text, but not of a list of words.
        return text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { word(String(Substring($0))) }.joined(separator: " ")
    }

    private static func word(_ word: String) -> String {
        let bytes = Array(word.utf8)
        if hasSchemeEnd(bytes) { return URLRedaction.standard.text(word) }
        if mayContainURL(word), bytes.contains(UInt8(ascii: "%")) { return URLRedaction.standard(word) }
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), bytes[..<at].contains(UInt8(ascii: ":")) else {
            return word
        }
        return "REDACTED" + String(decoding: bytes[at...], as: UTF8.self)
    }

    /// Returns whether the text contains `://` or `@`, of which each character may be escaped up to three times.
    private static func mayContainURL(_ text: String) -> Bool {
        let escapes = [("%25", "%"), ("%25", "%"), ("%3a", ":"), ("%2f", "/"), ("%40", "@")]
        var plain = Array(text.utf8)
        if plain.contains(UInt8(ascii: "%")) {
            plain = escapes.reduce(Array(text.lowercased().utf8)) { $0.replacing($1.0.utf8, with: $1.1.utf8) }
        }
        return plain.contains(UInt8(ascii: "@")) || hasSchemeEnd(plain)
    }

    /// Returns whether the text contains `://`. As characters, a combining mark after it would hide it.
    private static func hasSchemeEnd(_ text: [UInt8]) -> Bool { text.firstRange(of: "://".utf8) != nil }
}
