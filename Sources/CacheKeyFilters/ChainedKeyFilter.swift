public import DarkroomCore
public import DarkroomPlatform

/// A filter that applies several filters in order, each to the result of the previous one.
public struct ChainedKeyFilter: CacheKeyFilter {
    private let filters: [any CacheKeyFilter]

    /// Creates a filter that applies `filters` in order.
    public init(_ filters: [any CacheKeyFilter]) { self.filters = filters }

    /// Returns the result of the last filter. If a filter returns `nil`, so does the chain, without calling the others.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        var text = text
        for filter in filters {
            guard let next = filter.key(for: url, soFar: text, context: context) else { return nil }
            text = next
        }
        return text
    }
}

extension CacheKeyFilter where Self == ChainedKeyFilter {
    /// Applies `filters` in order, each to the result of the previous one.
    public static func chain(_ filters: [any CacheKeyFilter]) -> ChainedKeyFilter { ChainedKeyFilter(filters) }
}
