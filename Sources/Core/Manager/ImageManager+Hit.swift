#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What is in memory is answered at once.
extension ImageManager {
    /// What memory has of `url`, if it may be shown without waiting for anybody.
    ///
    /// Most loads end here. What counts on this way is how many references are counted: a request is made, and the cache and
    /// the version of the original are copied, only where that cannot be helped.
    @inline(never)
    func memoryHit(_ url: URL, _ context: ImageContext) -> LoadResult? {
        guard takesRequestsAsTheyAre, context.isPlain else { return memoryHit(Request(url, context, self)) }
        let key = CacheKey(source: url.absoluteString, context.variant)
        guard let image = memory.image(for: key) else { return nil }
        guard let decision = plainDecision(on: image, context) else {
            let request = Request(url, context, self)
            guard permits(image.metadata.original, request) else { return nil }
            return hit(image, key, decision(on: image.metadata.original, request), request)
        }
        return LoadResult(image: image, key: key, origin: .memory, report: LoadReport(decision: decision))
    }

    /// What memory has for `request`, if it may be shown without waiting for anybody.
    @inline(never)
    func memoryHit(_ request: Request) -> LoadResult? {
        guard let key = request.key, let (image, decision) = usableImage(for: key, request) else { return nil }
        return hit(image, key, decision, request)
    }

    private func hit(
        _ image: Image, _ key: CacheKey, _ decision: CacheDecision, _ request: Request
    ) -> LoadResult? {
        guard decision.allowsUse else { return nil }
        if case .staleWhileRevalidating = decision { revalidate(request) }
        return LoadResult(
            image: image.scaled(request.context.scale), key: key, origin: .memory, isStale: decision.isStale,
            report: LoadReport(decision: decision))
    }

    /// That `image` is fresh, where nothing but its freshness has to be looked at.
    private func plainDecision(on image: Image, _ context: ImageContext) -> CacheDecision? {
        switch image.standing {
        case .unchanging: return .fresh(for: nil)
        case .unclear: return nil
        case .plain(let freshness):
            guard let left = freshness.secondsLeft(at: components.now(), for: context) else { return .fresh(for: nil) }
            return left > 0 ? .fresh(for: left) : nil
        }
    }
}
