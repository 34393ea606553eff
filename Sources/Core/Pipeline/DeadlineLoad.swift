import Synchronization

/// A load that settles for something else when its deadline comes first.
struct DeadlineLoad: Sendable {
    private enum Outcome: Sendable {
        case loaded(LoadResult)
        case stale(LoadResult?)
        case late
    }

    private let request: Request
    private let pipeline: LoadPipeline
    private let caches: RequestCaches
    private let progress = Progress()

    init(_ request: Request, pipeline: LoadPipeline) {
        self.request = request.withPreviews
        self.pipeline = pipeline
        caches = pipeline.caches(for: request.cacheOnly)
    }

    /// The result of `load`, which is given the request and an observer; or the fallback once `sleep` returns.
    func result(
        after wait: Duration, sleep: @escaping @Sendable () async throws -> Void,
        load: @escaping @Sendable (Request, @escaping LoadPipeline.Results.Observer) async throws -> LoadResult
    ) async throws -> LoadResult {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            group.addTask { [self] in .loaded(try await load(request) { progress.note($0) }) }
            group.addTask {
                try await sleep()
                return .late
            }
            // Looked up beforehand, so that it is there when it is needed.
            if request.context.cacheUse != .loaderOnly { group.addTask { [self] in .stale(await staleResult()) } }
            defer { group.cancelAll() }
            var stale: LoadResult?
            while let outcome = try await group.next() {
                switch outcome {
                case .loaded(let result): return result
                case .stale(let result): stale = result
                case .late: return try fallback(stale, after: wait)
                }
            }
            throw ImageError.cancelled
        }
    }

    /// The stale picture that the caches have, once a loader was asked for a newer one.
    private func staleResult() async -> LoadResult? {
        guard await progress.isTransferring(),
            let stored = try? await pipeline.result(of: request.cacheOnly).value(),
            verdict(on: stored.image) != nil
        else { return nil }
        return stored
    }

    /// The picture to show in place of the one that did not come in time.
    private func fallback(_ stale: LoadResult?, after wait: Duration) throws(ImageError) -> LoadResult {
        if var stale = stale ?? imageInMemory() {
            stale.isStale = true
            stale.image = stale.image.scaled(request.context.scale)
            return stale
        }
        if let other = otherSize() { return other }
        if let preview = progress.preview {
            return LoadResult(
                image: preview, key: request.key, origin: .network, report: LoadReport(decision: .missing))
        }
        throw ImageError(
            .timedOut, .load, "there was nothing to show within \(wait); give it more time, or leave the deadline out")
    }

    /// The image in memory, however old.
    private func imageInMemory() -> LoadResult? {
        guard request.context.cacheUse != .loaderOnly, let image = caches.imageInMemory(),
            let verdict = verdict(on: image)
        else { return nil }
        return LoadResult(image: image, key: request.key, origin: .memory, report: LoadReport(decision: verdict))
    }

    /// The largest image in memory that differs from the wanted one only by its thumbnail size.
    private func otherSize() -> LoadResult? {
        guard request.context.cacheUse != .loaderOnly, let key = request.key else { return nil }
        let others = caches.imagesOfSource().compactMap { other, image -> LoadResult? in
            guard other.withoutThumbnail == key.withoutThumbnail, let verdict = verdict(on: image) else { return nil }
            return LoadResult(
                image: image.scaled(request.context.scale), key: other, origin: .memory, isStale: verdict.isStale,
                isSmaller: true, report: LoadReport(decision: verdict))
        }
        return others.max { $0.image.size.width * $0.image.size.height < $1.image.size.width * $1.image.size.height }
    }

    /// The verdict by which `image` may stand in for the wanted one; `nil` when it may not.
    private func verdict(on image: Image) -> CacheDecision? {
        let version = image.metadata.original
        let verdict = caches.verdict(on: version)
        guard verdict.allowsUse, !verdict.isStale || version?.freshness?.mustRevalidate != true else { return nil }
        return verdict
    }
}

/// The progress of the load, for the decision at the deadline.
private final class Progress: Sendable {
    private let newest = Mutex<Image?>(nil)
    private let asked = AsyncStream.makeStream(of: Void.self)

    var preview: Image? { newest.withLock { $0 } }

    func note(_ event: LoadEvent) {
        switch event {
        case .queued: asked.continuation.yield()
        case .preview(let image): newest.withLock { $0 = image }
        default: break
        }
    }

    /// Returns when a loader was asked; false when the task was cancelled before.
    func isTransferring() async -> Bool {
        var events = asked.stream.makeAsyncIterator()
        return await events.next() != nil
    }
}

extension CacheKey {
    fileprivate var withoutThumbnail: CacheKey {
        CacheKey(source: source, variant: variant.filter { !$0.startsWithBytes(of: "Thumbnail({") })
    }
}
