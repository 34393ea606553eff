public import DarkroomCore
public import DarkroomPlatform

/// A key filter defined by a closure.
public struct ClosureKeyFilter: CacheKeyFilter {
    private let filter: @Sendable (URL, String, ImageContext) -> String?

    /// Creates a filter that calls `filter` with the URL, the text produced by previous filters, and the context.
    public init(_ filter: @escaping @Sendable (URL, String, ImageContext) -> String?) { self.filter = filter }

    /// Returns the result of the closure.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? { filter(url, text, context) }
}

extension CacheKeyFilter where Self == ClosureKeyFilter {
    /// Calls `filter` with the URL, the text produced by previous filters, and the context.
    public static func closure(
        _ filter: @escaping @Sendable (URL, String, ImageContext) -> String?
    ) -> ClosureKeyFilter { ClosureKeyFilter(filter) }
}
