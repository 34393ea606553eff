#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What may be shown of what the caches have.
extension ImageManager {
    /// The image in memory that may be shown without waiting for anybody, and why it may.
    func usableImage(for key: CacheKey, _ request: Request) -> (image: Image, decision: CacheDecision)? {
        guard request.context.cacheUse != .loaderOnly, request.context.cachePolicy.query.contains(.memory),
            let image = image(for: key, request)
        else { return nil }
        let decision = decision(on: image.metadata.original, request)
        return decision.allowsUse ? (image, decision) : nil
    }

    /// The original picture in memory, if it may be looked for there, and shown.
    func originalInMemory(_ request: Request) -> (image: Image, decision: CacheDecision)? {
        guard request.isVariant, request.originalQuery.contains(.memory), request.context.cacheUse != .loaderOnly,
            let key = request.key?.original, let image = image(for: key, request)
        else { return nil }
        let decision = decision(on: image.metadata.original, request)
        if case .staleWhileRevalidating = decision { return nil }
        return decision.allowsUse ? (image, decision) : nil
    }

    /// What is decided about something in a cache that was made of `version`.
    func decision(on version: OriginalVersion?, _ request: Request) -> CacheDecision {
        let use = request.context.cacheUse
        guard use == .standard || use == .cacheOnly || version?.isLocal == false else { return .bypassed(use) }
        guard let version else { return .fresh(for: nil) }
        if version.isLocal {
            return loader(for: request)?.localVersion(of: request.url) == version.revision ? .local : .localChanged
        }
        return version.decision(for: request.context, at: components.now()) { fieldsToSend(request) }
    }

    /// Whether something made of `version` may be shown in place of `error`, which came when its origin was asked.
    func allowsStale(_ version: OriginalVersion?, after error: ImageError, _ request: Request) -> Bool {
        guard request.context.cacheUse != .loaderOnly, decision(on: version, request) != .varies else { return false }
        guard let version else { return error.cause.isAboutReach }
        // A loader that knows no local versions did not bring it.
        if version.isLocal {
            return error.cause.isAboutReach && loader(for: request)?.localVersion(of: request.url) != nil
        }
        return version.isBetter(than: error, for: request.context, at: components.now())
    }

    /// The header fields that the loader of `request` would send.
    func fieldsToSend(_ request: Request) -> [String: String] {
        loader(for: request)?.requestFields(for: LoadRequest(url: request.url, context: request.context)) ?? [:]
    }

    /// The image in memory, when it was made of the version that was just confirmed: nothing needs to be decoded again.
    func confirmedImage(of original: Original, _ request: Request) -> Image? {
        guard request.context.cacheUse != .loaderOnly, request.context.cachePolicy.query.contains(.memory),
            !original.forbidsStore, let version = original.version, let key = request.key,
            var image = image(for: key, request),
            image.metadata.original?.revision == version.revision
        else { return nil }
        image.metadata.original = version
        imageCache(for: request)?.store(image, for: key)
        return image
    }

    /// What memory has, however old, after `error` came when its origin was asked.
    @inline(never)
    func staleImage(_ request: Request, after error: ImageError) -> LoadResult? {
        guard let key = request.key, request.context.cachePolicy.query.contains(.memory),
            let image = image(for: key, request),
            allowsStale(image.metadata.original, after: error, request)
        else { return nil }
        return LoadResult(
            image: image, key: key, origin: .memory, isStale: true,
            report: LoadReport(decision: .staleOnError(error.cause.kind)))
    }
}
