public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Several filters as one, each of which gets what the one before it made.
public struct ChainedKeyFilter: CacheKeyFilter {
    private let filters: [any CacheKeyFilter]

    /// Asks `filters` in this order.
    public init(_ filters: [any CacheKeyFilter]) { self.filters = filters }

    /// What the last filter answers; `nil` as soon as one of them does, and then the others are not asked.
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
    /// Asks `filters` in this order, each for what the one before it made.
    public static func chain(_ filters: [any CacheKeyFilter]) -> ChainedKeyFilter { ChainedKeyFilter(filters) }
}
