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
