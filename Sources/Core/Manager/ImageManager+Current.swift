#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What may be shown of what the caches have.
extension ImageManager {
    /// The image in memory that may be shown without asking anybody.
    func freshImage(for key: CacheKey, _ request: Request) -> Image? {
        guard request.context.cacheUse == .standard || request.context.cacheUse == .cacheOnly,
            request.context.cachePolicy.query.contains(.memory),
            let image = imageCache(for: request)?.image(for: key), isCurrent(image.metadata.original, request)
        else { return nil }
        return image
    }

    /// The original picture in memory, if it may be looked for there, and shown.
    func originalInMemory(_ request: Request) -> Image? {
        guard request.isVariant, request.originalQuery.contains(.memory), let key = request.key?.original else {
            return nil
        }
        guard let image = freshImage(for: key, request) else { return nil }
        return image
    }

    /// The image in memory that was made of this very original, as new as that.
    func unchangedImage(of original: Original, _ request: Request) -> Image? {
        guard original.origin == .disk || original.report.decision == .unchanged,
            request.context.cacheUse != .loaderOnly, request.context.cachePolicy.query.contains(.memory),
            let key = request.key, let version = original.version,
            var image = imageCache(for: request)?.image(for: key),
            image.metadata.original?.revision == version.revision
        else { return nil }
        if image.metadata.original != version {
            image.metadata.original = version
            imageCache(for: request)?.store(image, for: key)
        }
        return image
    }

    /// What memory has, however old, after `error` came when its origin was asked.
    func staleImage(_ request: Request, after error: ImageError) -> LoadResult? {
        guard let key = request.key, request.context.cachePolicy.query.contains(.memory),
            let image = imageCache(for: request)?.image(for: key), error.allowsStale(image.metadata.original)
        else { return nil }
        return LoadResult(
            image: image, key: key, origin: .memory, isStale: true,
            report: LoadReport(decision: .staleOnError(error.kind)))
    }

    /// Whether something made of `version` may be shown without asking its origin.
    func isCurrent(_ version: OriginalVersion?, _ request: Request) -> Bool {
        guard let version else { return true }
        if version.isLocal { return loader(for: request)?.localVersion(of: request.url) == version.revision }
        guard let expires = version.expires else { return true }
        return request.context.cacheUse == .cacheOnly || Date.now < expires
    }

    /// Why something made of `version`, which is current, is.
    func decision(of version: OriginalVersion?, _ request: Request) -> CacheDecision {
        guard let version else { return .fresh(for: nil) }
        if version.isLocal { return .local }
        guard let expires = version.expires else { return .fresh(for: nil) }
        return .fresh(for: expires.timeIntervalSinceNow)
    }
}

extension Request {
    /// The decision when a loader brought new bytes; `had` tells whether there was an entry before.
    func decisionAfterLoading(isLocal: Bool, had: Bool, forbidsStore: Bool) -> CacheDecision {
        if context.cacheUse == .loaderOnly { return .bypassed(.loaderOnly) }
        if had { return isLocal ? .localChanged : .changed }
        return forbidsStore ? .notStored : .missing
    }
}
