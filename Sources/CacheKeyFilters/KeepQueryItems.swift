public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Drops all query items but those that decide which picture it is, such as an identifier.
public struct KeepQueryItems: CacheKeyFilter {
    private let names: Set<[UInt8]>

    /// Keeps the items named in `names`, in the order in which they stand in the text.
    public init(_ names: some Sequence<String>) { self.names = Set(names.map { Array($0.utf8) }) }

    /// The text without the other items; all else stays, byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard var query = QueryText(text) else { return text }
        query.items.removeAll { !names.contains($0.decodedItemName) }
        return query.text
    }
}

extension CacheKeyFilter where Self == KeepQueryItems {
    /// Drops all query items but those named in `names`.
    public static func keepQueryItems(_ names: some Sequence<String>) -> KeepQueryItems { KeepQueryItems(names) }
}
