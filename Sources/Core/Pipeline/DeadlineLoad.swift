import Synchronization

/// A load that returns a substitute when its deadline expires first.
struct DeadlineLoad: Sendable {
    private enum Outcome: Sendable {
        case loaded(LoadResult)
        case stale(LoadResult?)
        case expired
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

    /// Returns the result of `load`, or a substitute when `sleep` returns first. `load` is called with the request and
    /// an observer.
    func result(
        after wait: Duration, sleep: @escaping @Sendable () async throws -> Void,
        load: @escaping @Sendable (Request, @escaping LoadPipeline.Results.Observer) async throws -> LoadResult
    ) async throws -> LoadResult {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            group.addTask { [self] in .loaded(try await load(request) { progress.observe($0) }) }
            group.addTask {
                try await sleep()
                return .expired
            }
            // Looked up in advance, so that it is available at the deadline.
            if request.context.cacheUse != .loaderOnly { group.addTask { [self] in .stale(await staleResult()) } }
            defer { group.cancelAll() }
            var stale: LoadResult?
            while let outcome = try await group.next() {
                switch outcome {
                case .loaded(let result): return result
                case .stale(let result): stale = result
                case .expired: return try fallback(stale, after: wait)
                }
            }
            throw ImageError.cancelled
        }
    }

    /// Returns the stale image from the caches, after a loader was called for a newer one.
    private func staleResult() async -> LoadResult? {
        guard await progress.isTransferring(),
            let stored = try? await pipeline.result(of: request.cacheOnly).value(for: request),
            verdict(on: stored.image) != nil
        else { return nil }
        return stored
    }

    /// Returns the best substitute at the deadline.
    private func fallback(_ stale: LoadResult?, after wait: Duration) throws(ImageError) -> LoadResult {
        if var stale = stale ?? imageInMemory() {
            stale.isStale = true
            stale.image = stale.image.scaled(request.context.scale)
            return stale
        }
        if let other = otherSize() { return other }
        if let preview = progress.preview {
            return LoadResult(
                url: request.url, image: preview, key: request.key, origin: .network,
                report: LoadReport(decision: .missing))
        }
        throw ImageError(
            .timedOut, .load, "no image was available within \(wait); use a longer deadline, or none")
    }

    /// Returns the image in memory, however old.
    private func imageInMemory() -> LoadResult? {
        guard request.context.cacheUse != .loaderOnly, let image = caches.imageInMemory(),
            let verdict = verdict(on: image)
        else { return nil }
        return LoadResult(
            url: request.url, image: image, key: request.key, origin: .memory, report: LoadReport(decision: verdict))
    }

    /// Returns the largest image in memory that differs from the requested one only by its thumbnail size. A cropped one
    /// differs by more.
    private func otherSize() -> LoadResult? {
        guard request.context.cacheUse != .loaderOnly, let key = request.key else { return nil }
        let others = caches.imagesOfSource().compactMap { other, image -> LoadResult? in
            guard other.withoutThumbnail == key.withoutThumbnail, image.metadata.thumbnail?.mode != .cover,
                let verdict = verdict(on: image)
            else { return nil }
            return LoadResult(
                url: request.url, image: image.scaled(request.context.scale), key: other, origin: .memory,
                isStale: verdict.isStale,
                isSubstitute: true, report: LoadReport(decision: verdict))
        }
        return others.max { $0.image.size.width * $0.image.size.height < $1.image.size.width * $1.image.size.height }
    }

    /// Returns the verdict with which `image` may be used as a substitute; `nil` if it may not.
    private func verdict(on image: Image) -> CacheDecision? {
        let version = image.metadata.original
        let verdict = caches.verdict(on: version)
        guard verdict.allowsUse, !verdict.isStale || version?.freshness?.mustRevalidate != true else { return nil }
        return verdict
    }
}

/// The progress of the load, which matters at the deadline.
private final class Progress: Sendable {
    private let newest = Mutex<Image?>(nil)
    private let loaderCalls = AsyncStream.makeStream(of: Void.self)

    var preview: Image? { newest.withLock { $0 } }

    func observe(_ event: LoadEvent) {
        switch event {
        case .queued: loaderCalls.continuation.yield()
        case .preview(let image): newest.withLock { $0 = image }
        default: break
        }
    }

    /// Waits until a loader is called. Returns false if the task is cancelled first.
    func isTransferring() async -> Bool {
        var events = loaderCalls.stream.makeAsyncIterator()
        return await events.next() != nil
    }
}

extension CacheKey {
    fileprivate var withoutThumbnail: CacheKey {
        CacheKey(source: source, variant: variant.filter { !$0.startsWithBytes(of: "Thumbnail({") })
    }
}
