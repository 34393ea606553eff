/// What was sent in the fields that the `Vary` of a response names (RFC 9111, section 4.1).
///
/// One variant of a source is kept, the last one: a request that would send something else in these fields asks again.
public struct VariedFields: Hashable, Sendable, Codable {
    private static let credentials: Set = ["authorization", "cookie", "proxy-authorization"]

    /// Names in lower case, and what was sent; the empty text for nothing. Of credentials it is not told what was sent.
    public var fields: [String: String]

    /// Whether `Vary: *` says that no later request can be known to get the same.
    public var areAll: Bool

    /// Nothing varies.
    public init(_ fields: [String: String] = [:], areAll: Bool = false) {
        self.fields = fields
        self.areAll = areAll
    }

    /// What `sent`, with names in lower case, has in the fields that `response` names, or one of the `redirects` before it.
    init(of response: ResponseMetadata?, after redirects: [ResponseMetadata] = [], sent: [String: String]) {
        let names = ([response].compactMap(\.self) + redirects).flatMap { response in
            response.headers["vary"]?.listMembers ?? []
        }
        self.init(areAll: names.contains("*"))
        for name in names where name != "*" {
            let value = Self.normalized(sent[name])
            // Secrets shall not lie in caches: it is enough to know that there was one.
            fields[name] = Self.credentials.contains(name) && !value.isEmpty ? "*" : value
        }
    }

    var isEmpty: Bool { fields.isEmpty && !areAll }

    /// Whether a request with the fields `sent` gets the same, as far as the named fields tell.
    func match(_ sent: [String: String]) -> Bool {
        fields.allSatisfy { name, value in
            let now = Self.normalized(sent[name])
            return now.hasBytes(of: value) && (now.isEmpty || !Self.credentials.contains(name))
        }
    }

    /// The value without the blanks that mean nothing in a list.
    private static func normalized(_ value: String?) -> String {
        (value ?? "").fields(separatedBy: UInt8(ascii: ",")).map(\.trimmed).joined(separator: ",")
    }
}
