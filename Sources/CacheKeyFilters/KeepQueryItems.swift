public import DarkroomCore
public import DarkroomPlatform

/// Removes all query items except those that identify the image.
public struct KeepQueryItems: CacheKeyFilter {
    private let names: Set<[UInt8]>

    /// Creates a filter that keeps the items with the given names, in their original order.
    public init(_ names: some Sequence<String>) { self.names = Set(names.map { Array($0.utf8) }) }

    /// Returns the text without the other items. Everything else is preserved byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard var query = QueryComponents(text) else { return text }
        query.items.removeAll { !names.contains($0.decodedItemName) }
        return query.text
    }
}

extension CacheKeyFilter where Self == KeepQueryItems {
    /// Removes all query items except those with the given names.
    public static func keepQueryItems(_ names: some Sequence<String>) -> KeepQueryItems { KeepQueryItems(names) }
}
