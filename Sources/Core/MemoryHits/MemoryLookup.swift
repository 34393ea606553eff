import DarkroomPlatform

/// The lookup with which every load begins: in memory, without a request, without suspending.
///
/// Most loads end here, and reference counts are their main cost. So no request is created, the version of the original is
/// not copied, and what the request would decide is computed before: by `FreshnessSummary` once for each image, by
/// `ImageContext` once for each context, and by this type once for each manager. Whatever depends on more than that is left to
/// the request, which decides the same, only later: `MemoryLookupTests` compares the two.
struct MemoryLookup: Sendable {
    /// The image cache of the manager, or an empty one if it has none.
    let images: any ImageCache
    private let now: @Sendable () -> Date
    /// Whether the request can be omitted: nothing rewrites or refuses it, and no one observes it.
    private let appliesToRequests: Bool

    /// An image in memory that is fresh. It is small, because copies of a result take a tenth of a hit's time.
    struct Hit {
        let image: Image
        let key: CacheKey
        let verdict: CacheDecision

        @inline(__always)
        consuming func result(for url: URL) -> LoadResult {
            LoadResult(url: url, image: image, key: key, origin: .memory, report: LoadReport(decision: verdict))
        }
    }

    enum Outcome {
        case hit(Hit)
        case miss
        /// Only the request can tell.
        case undecided

        var isMiss: Bool { if case .miss = self { true } else { false } }
    }

    /// Creates the lookup of a manager with `components`. With `restrictsAccess`, its loaders may refuse requests.
    init(_ components: ImageManager.Components, restrictsAccess: Bool) {
        images = components.imageCache ?? NoImageCache()
        now = components.now
        appliesToRequests =
            components.processors.isEmpty && components.keyFilters.isEmpty && components.defaults.isEmpty
            && components.observers.isEmpty && !restrictsAccess
    }

    /// Looks up the result of `url`.
    // Not inlined, so that what it needs is not in the frame of a caller that waits.
    @inline(never)
    func outcome(for url: URL, context: ImageContext) -> Outcome {
        guard appliesToRequests, context.hasDefaultLookup else { return .undecided }
        let key = CacheKey(source: url.absoluteString, context.variant)
        guard let image = images.image(for: key) else {
            // The key of a URL with user info is made by the request.
            return key.source.utf8.contains(UInt8(ascii: "@")) ? .undecided : .miss
        }
        guard let verdict = image.freshness.verdict(for: context, at: now()) else { return .undecided }
        return .hit(Hit(image: image, key: key, verdict: verdict))
    }
}
