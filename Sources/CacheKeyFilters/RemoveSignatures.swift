public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Drops the query items with which storage services sign URLs for a while, so that the next signature finds the picture.
///
/// They go only where a whole signature stands: an item that merely has the name of one of them stays. A cache then answers
/// without asking whether a signature holds, so let all its users be people who may see the pictures.
public struct RemoveSignatures: CacheKeyFilter {
    /// Who signs.
    public enum Provider: Hashable, Sendable, CaseIterable {
        /// Amazon S3 and what speaks like it, with signatures of version 2 and 4.
        case aws
        /// Google Cloud Storage, with signatures of version 2 and 4.
        case googleCloudStorage
        /// Azure Storage, with shared access signatures.
        case azureStorage
        /// Amazon CloudFront, with canned and custom policies.
        case cloudFront
    }

    private let schemes: [SignatureScheme]

    /// Drops the signatures of `providers`; of all unless told.
    public init(of providers: some Sequence<Provider> = Provider.allCases) {
        schemes = providers.flatMap(\.schemes)
    }

    /// The text without signatures; all else stays, byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard var query = QueryText(text) else { return text }
        let names = query.items.map(\.decodedItemName)
        let present = Set(names)
        let signing = schemes.filter { $0.signs.isSubset(of: present) }
        guard !signing.isEmpty else { return text }
        let kept = zip(query.items, names).filter { item in !signing.contains { $0.has(item.1) } }
        query.items = kept.map(\.0)
        return query.text
    }
}

extension CacheKeyFilter where Self == RemoveSignatures {
    /// Drops the signatures of all providers that are known.
    public static var removeSignatures: RemoveSignatures { RemoveSignatures() }

    /// Drops the signatures of `providers`.
    public static func removeSignatures(of providers: some Sequence<RemoveSignatures.Provider>) -> RemoveSignatures {
        RemoveSignatures(of: providers)
    }
}
