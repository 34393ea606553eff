public import DarkroomCore
public import DarkroomPlatform

/// Removes query items that do not affect the image, such as tokens.
public struct RemoveQueryItems: CacheKeyFilter {
    private let names: Set<[UInt8]>?

    /// Creates a filter that removes the items with the given names.
    public init(_ names: some Sequence<String>) { self.names = Set(names.map { Array($0.utf8) }) }

    private init() { names = nil }

    /// Removes the whole query.
    public static let all = RemoveQueryItems()

    /// Returns the text without the items. Everything else is preserved byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard var query = QueryComponents(text) else { return text }
        query.items.removeAll { names?.contains($0.decodedItemName) ?? true }
        return query.text
    }
}

extension CacheKeyFilter where Self == RemoveQueryItems {
    /// Removes the query items with the given names.
    public static func removeQueryItems(_ names: some Sequence<String>) -> RemoveQueryItems { RemoveQueryItems(names) }

    /// Removes the whole query.
    public static var removeQuery: RemoveQueryItems { .all }
}
