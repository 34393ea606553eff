import DarkroomPlatform

// Images in memory, found without suspending.
extension ImageManager {
    /// An image in memory that is fresh. It is small, because copies of a result take a tenth of a hit's time.
    struct MemoryHit {
        let image: Image
        let key: CacheKey
        let verdict: CacheDecision

        @inline(__always)
        consuming func result(for url: URL) -> LoadResult {
            LoadResult(url: url, image: image, key: key, origin: .memory, report: LoadReport(decision: verdict))
        }
    }

    /// The outcome of a lookup in memory without a request.
    enum MemoryLookup {
        case hit(MemoryHit)
        case miss
        /// Only the request can tell, or an observer must be notified.
        case undecided

        var isMiss: Bool { if case .miss = self { true } else { false } }
    }

    /// Looks up the image of `url` in memory.
    ///
    /// Most loads end here, and their main cost is reference counting. So no request is created, and the version of the
    /// original is not copied.
    @inline(never)
    func lookUpInMemory(_ url: URL, context: ImageContext) -> MemoryLookup {
        guard !pipeline.isObserved, usesRequestsUnchanged, context.hasDefaultLookup else { return .undecided }
        let key = CacheKey(source: url.absoluteString, context.variant)
        guard let image = memory.image(for: key) else {
            // The key of a URL with user info is made by the request.
            return key.source.utf8.contains(UInt8(ascii: "@")) ? .undecided : .miss
        }
        guard let verdict = image.freshness.verdict(for: context, at: pipeline.components.now()) else {
            return .undecided
        }
        return .hit(MemoryHit(image: image, key: key, verdict: verdict))
    }
}
