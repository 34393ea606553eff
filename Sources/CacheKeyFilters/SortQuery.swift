public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Puts query items in order, for origins that do not care about it.
///
/// Items are compared as they are written, byte by byte: first their names, then their values.
public struct SortQuery: CacheKeyFilter {
    /// A filter that sorts.
    public init() {}

    /// The text with its query items in order; each of them stays, byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard var query = QueryText(text), query.items.count > 1 else { return text }
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
    /// Puts query items in order.
    public static var sortQuery: SortQuery { SortQuery() }
}
