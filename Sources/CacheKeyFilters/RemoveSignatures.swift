public import DarkroomCore
public import DarkroomPlatform

/// Removes the query items of the temporary signatures of storage services, so that an image is found again when its
/// URL is signed again.
///
/// Items are removed only as part of a complete signature: another item that happens to have the same name stays. A
/// cache hit does not verify the signature, so use this only if all users of the cache may see the images.
public struct RemoveSignatures: CacheKeyFilter {
    /// The services that sign URLs.
    public enum Provider: Hashable, Sendable, CaseIterable {
        /// Amazon S3 and compatible services, with signature versions 2 and 4.
        case aws
        /// Google Cloud Storage, with signature versions 2 and 4.
        case googleCloudStorage
        /// Azure Storage, with shared access signatures.
        case azureStorage
        /// Amazon CloudFront, with canned and custom policies.
        case cloudFront
    }

    private let schemes: [SignatureScheme]

    /// Creates a filter that removes the signatures of `providers`, by default of all.
    public init(of providers: some Sequence<Provider> = Provider.allCases) {
        schemes = providers.flatMap(\.schemes)
    }

    /// Returns the text without signatures. Everything else is preserved byte for byte.
    public func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        guard var query = QueryComponents(text) else { return text }
        let names = query.items.map(\.decodedItemName)
        let present = Set(names)
        let signing = schemes.filter { $0.required.isSubset(of: present) }
        guard !signing.isEmpty else { return text }
        let kept = zip(query.items, names).filter { item in !signing.contains { $0.contains(item.1) } }
        query.items = kept.map(\.0)
        return query.text
    }
}

extension CacheKeyFilter where Self == RemoveSignatures {
    /// Removes the signatures of all supported providers.
    public static var removeSignatures: RemoveSignatures { RemoveSignatures() }

    /// Removes the signatures of `providers`.
    public static func removeSignatures(of providers: some Sequence<RemoveSignatures.Provider>) -> RemoveSignatures {
        RemoveSignatures(of: providers)
    }
}
