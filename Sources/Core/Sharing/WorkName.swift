/// The name of work that the nodes of a fleet should do only once: fetching an original, or making a result of it.
public struct WorkName: Hashable, Sendable {
    /// The kind of work.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Fetching an original from its origin server.
        case original
        /// Making a result, decoded or encoded, of an original.
        case result
    }

    /// The kind of work.
    public let kind: Kind

    /// The cache key of what the work produces. Equal keys of different kinds are different work.
    public let key: CacheKey

    /// Creates the name of the work that produces the entry of `key`.
    public init(_ kind: Kind, of key: CacheKey) { (self.kind, self.key) = (kind, key) }
}

extension WorkName: CustomStringConvertible {
    /// The kind and the key, such as `original https://example.com/a.jpg`. Different work may have the same description.
    public var description: String { "\(kind.rawValue) \(key)" }
}
