public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Drops query items that change although the picture does not, such as tokens, from the text that stands for it.
public struct RemoveQueryItems: CacheKeyFilter {
    private let names: Set<String>?

    /// Drops the items named in `names`.
    public init(_ names: some Sequence<String>) { self.names = Set(names) }

    private init() { names = nil }

    /// Drops the whole query.
    public static let all = RemoveQueryItems()

    /// The text without the items; all else stays, byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        let beforeFragment = text.prefix { $0 != "#" }
        guard let mark = beforeFragment.firstIndex(of: "?") else { return text }
        let query = beforeFragment[beforeFragment.index(after: mark)...]
        let kept = query.split(separator: "&", omittingEmptySubsequences: false).filter { !drops($0) }
        let question = kept.isEmpty || names == nil ? "" : "?"
        return text[..<mark] + question + kept.joined(separator: "&") + text[beforeFragment.endIndex...]
    }

    private func drops(_ item: Substring) -> Bool {
        guard let names else { return true }
        return names.contains(String(item.prefix { $0 != "=" }).percentDecoded)
    }
}
