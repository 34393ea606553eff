public import DarkroomCore
public import DarkroomPlatform

/// Sorts query items, for origin servers that ignore their order.
///
/// Items are compared byte by byte in their encoded form, first by name, then by value.
public struct SortQuery: CacheKeyFilter {
    /// Creates the filter.
    public init() {}

    /// Returns the text with its query items sorted. Each item is preserved byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard var query = QueryComponents(text), query.items.count > 1 else { return text }
        query.items.sort(by: Self.precedes)
        return query.text
    }

    private static func precedes(_ left: Substring, _ right: Substring) -> Bool {
        let (leftName, rightName) = (left.itemName.utf8, right.itemName.utf8)
        guard leftName.elementsEqual(rightName) else { return leftName.lexicographicallyPrecedes(rightName) }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension CacheKeyFilter where Self == SortQuery {
    /// Sorts query items.
    public static var sortQuery: SortQuery { SortQuery() }
}
