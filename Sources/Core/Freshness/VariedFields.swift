/// The request header fields that the `Vary` field of a response names, with the values sent (RFC 9111, section 4.1).
///
/// Only the last variant of a source is cached. A request with other values of these fields loads the image again.
public struct VariedFields: Hashable, Sendable, Codable {
    private static let credentials: Set = ["authorization", "cookie", "proxy-authorization"]

    /// The values by lowercase name; empty for a field that was not sent. The values of credentials are not stored.
    public var fields: [String: String]

    /// Whether the response varies with anything (`Vary: *`), so that it matches no other request.
    public var isWildcard: Bool

    /// The lowercase language of a response that varies with `Accept-Language`, if it has exactly one.
    public var language: String?

    /// Creates the fields; by default, a response that does not vary.
    public init(_ fields: [String: String] = [:], isWildcard: Bool = false) {
        self.fields = fields
        self.isWildcard = isWildcard
    }

    /// Creates the fields that `response` and the `redirects` before it name, with the values of `sent`, which has
    /// lowercase names.
    init(of response: ResponseMetadata?, after redirects: [ResponseMetadata] = [], sent: [String: String]) {
        let names = ([response].compactMap(\.self) + redirects).flatMap { response in
            response.headers["vary"]?.listMembers ?? []
        }
        self.init(isWildcard: names.contains("*"))
        if names.contains("accept-language"), let languages = response?.headers["content-language"]?.listMembers,
            languages.count == 1
        {
            language = languages[0]
        }
        for name in names where name != "*" {
            let value = Self.normalized(sent[name], of: name)
            // Caches must not contain secrets. It is enough to know that there was one.
            fields[name] = Self.isCredential(name) && !value.isEmpty ? "*" : value
        }
    }

    var isEmpty: Bool { fields.isEmpty && !isWildcard }

    /// Returns whether the field `name`, in lowercase, identifies the user.
    static func isCredential(_ name: String) -> Bool { credentials.contains(name) }

    /// Returns whether a request with the fields `sent` matches the named fields.
    func match(_ sent: [String: String]) -> Bool {
        fields.allSatisfy { name, value in
            let current = Self.normalized(sent[name], of: name)
            if name == "accept-language", isPreferred(by: current) { return true }
            return current.hasBytes(of: value) && (current.isEmpty || !Self.isCredential(name))
        }
    }

    /// Returns whether the response is in the language that a request with this `Accept-Language` field prefers to all
    /// others. The origin server, which has the image in that language, would select it.
    private func isPreferred(by field: String) -> Bool {
        guard let language else { return false }
        return LanguagePreferences(field)?.prefer(language) == true
    }

    /// Returns the value without insignificant whitespace around list members, and languages in lowercase.
    ///
    /// Languages are in the order of their weights. Where several have the same one, the order is kept, because origin
    /// servers may read it as one of preference (RFC 9110, section 12.5.4).
    private static func normalized(_ value: String?, of name: String) -> String {
        let value = (value ?? "").fields(separatedBy: UInt8(ascii: ",")).map(\.trimmed).joined(separator: ",")
        guard name == "accept-language" else { return value }
        return LanguagePreferences(value)?.text ?? value.asciiLowercased
    }
}
