public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A key filter made of a closure.
public struct ClosureKeyFilter: CacheKeyFilter {
    private let filter: @Sendable (URL, String, ImageContext) -> String?

    /// A filter that answers what `filter` does, for the URL, the text so far and the context.
    public init(_ filter: @escaping @Sendable (URL, String, ImageContext) -> String?) { self.filter = filter }

    /// What the closure answers.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? { filter(url, text, context) }
}

extension CacheKeyFilter where Self == ClosureKeyFilter {
    /// Answers what `filter` does, for the URL, the text so far and the context.
    public static func closure(
        _ filter: @escaping @Sendable (URL, String, ImageContext) -> String?
    ) -> ClosureKeyFilter { ClosureKeyFilter(filter) }
}
