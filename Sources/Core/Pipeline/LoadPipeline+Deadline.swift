import Synchronization

// Loads that return a substitute when their deadline expires first.
extension LoadPipeline {
    private enum Outcome: Sendable {
        case loaded(LoadResult)
        case stale(LoadResult?)
        case expired
    }

    /// Returns the result of `request`, or the best substitute when `sleep` returns first, which is after `wait`.
    func load(
        _ request: Request, within wait: Duration, sleep: @escaping @Sendable () async throws -> Void
    ) async throws -> LoadResult {
        let (request, progress) = (request.withPreviews, LoadProgress())
        return try await withThrowingTaskGroup(of: Outcome.self) { group in
            group.addTask { [self] in .loaded(try await load(request) { progress.observe($0) }) }
            group.addTask {
                try await sleep()
                return .expired
            }
            // Looked up in advance, so that it is available at the deadline.
            if request.context.cacheUse != .loaderOnly {
                group.addTask { [self] in .stale(await staleResult(of: request, progress)) }
            }
            defer { group.cancelAll() }
            var stale: LoadResult?
            while let outcome = try await group.next() {
                switch outcome {
                case .loaded(let result): return result
                case .stale(let result): stale = result
                case .expired:
                    if let result = substitute(for: request, stale) ?? preview(of: request, progress) { return result }
                    throw ImageError(
                        .timedOut, .load, "no image was available within \(wait); use a longer deadline, or none")
                }
            }
            throw ImageError.cancelled
        }
    }

    /// Returns the stale image from the caches, after a loader was called for a newer one.
    private func staleResult(of request: Request, _ progress: LoadProgress) async -> LoadResult? {
        let request = request.cacheOnly
        guard await progress.isTransferring(),
            let stored = try? await end(of: request).result(for: request).get(),
            rules(for: request).verdict(onSubstitute: stored.image) != nil
        else { return nil }
        return stored
    }

    /// Returns `stale`, or else the image in memory, however old, or at another size.
    private func substitute(for request: Request, _ stale: LoadResult?) -> LoadResult? {
        guard request.context.cacheUse != .loaderOnly else { return nil }
        let rules = rules(for: request.cacheOnly)
        let images = ImageSlot(rules)
        guard var stale = stale ?? images.substitute(rules) else { return images.otherSize(rules) }
        stale.isStale = true
        stale.image = stale.image.scaled(request.context.scale)
        return stale
    }

    private func preview(of request: Request, _ progress: LoadProgress) -> LoadResult? {
        progress.preview.map {
            LoadResult(
                url: request.url, image: $0, key: request.key, origin: .network, report: LoadReport(decision: .missing))
        }
    }
}

extension ImageSlot {
    /// Returns the image in memory, however old.
    fileprivate func substitute(_ rules: CacheRules) -> LoadResult? {
        guard let image = image(), let verdict = rules.verdict(onSubstitute: image) else { return nil }
        return LoadResult(
            url: rules.request.url, image: image, key: rules.request.key, origin: .memory,
            report: LoadReport(decision: verdict))
    }

    /// Returns the largest image in memory that differs from the requested one only by its thumbnail size. A cropped one
    /// differs by more.
    fileprivate func otherSize(_ rules: CacheRules) -> LoadResult? {
        guard let key = rules.request.key else { return nil }
        let others = imagesOfSource().compactMap { other, image -> LoadResult? in
            guard other.withoutThumbnail == key.withoutThumbnail, image.metadata.thumbnail?.mode != .cover,
                let verdict = rules.verdict(onSubstitute: image)
            else { return nil }
            return LoadResult(
                url: rules.request.url, image: image.scaled(rules.context.scale), key: other, origin: .memory,
                isStale: verdict.isStale, isSubstitute: true, report: LoadReport(decision: verdict))
        }
        return others.max { $0.image.size.width * $0.image.size.height < $1.image.size.width * $1.image.size.height }
    }
}

extension CacheRules {
    /// Returns the verdict with which `image` may be used as a substitute; `nil` if it may not.
    fileprivate func verdict(onSubstitute image: Image) -> CacheDecision? {
        let version = image.metadata.original
        let verdict = verdict(on: version)
        let freshness = version?.freshness(for: context)
        guard verdict.allowsUse, !verdict.isStale || freshness?.mustRevalidate != true else { return nil }
        return verdict
    }
}

/// The progress of the load, which matters at the deadline.
private final class LoadProgress: Sendable {
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
