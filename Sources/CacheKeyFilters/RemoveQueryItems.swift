public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Drops query items that change although the picture does not, such as tokens, from the text that stands for it.
public struct RemoveQueryItems: CacheKeyFilter {
    private let names: Set<[UInt8]>?

    /// Drops the items named in `names`.
    public init(_ names: some Sequence<String>) { self.names = Set(names.map { Array($0.utf8) }) }

    private init() { names = nil }

    /// Drops the whole query.
    public static let all = RemoveQueryItems()

    /// The text without the items; all else stays, byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard var query = QueryText(text) else { return text }
        query.items.removeAll { names?.contains($0.decodedItemName) ?? true }
        return query.text
    }
}

extension CacheKeyFilter where Self == RemoveQueryItems {
    /// Drops the query items named in `names`.
    public static func removeQueryItems(_ names: some Sequence<String>) -> RemoveQueryItems { RemoveQueryItems(names) }

    /// Drops the whole query.
    public static var removeQuery: RemoveQueryItems { .all }
}
