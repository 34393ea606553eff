#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization

extension ImageManager {
    /// Loads the picture at `url` as `context` wants it, and after `wait` gives the best that is to be had by then.
    ///
    /// That is what the caches have although it is stale (`LoadResult.isStale`); else the same picture at another size
    /// (`isSmaller`), from memory; else the last preview (`image.metadata.isIncomplete`). With none of them an error of
    /// kind `timedOut` is thrown. What the caches have counts only where they may be asked, and where its origin does not
    /// forbid to use it stale. After the deadline the load goes on only if others want it, too.
    public func load<C: Clock>(
        _ url: URL, context: ImageContext = .init(), within wait: Duration, clock: C = ContinuousClock()
    ) async throws(ImageError) -> LoadResult where C.Duration == Duration {
        let request = Request(url, context, self).withPreviews
        let progress = Progress()
        do {
            return try await withThrowingTaskGroup(of: Outcome.self) { group in
                group.addTask { [self] in
                    .loaded(try await observed(request, { progress.heard($0) }))
                }
                group.addTask {
                    try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil)
                    return .late
                }
                // Looked up beforehand, so that it is there when it is needed.
                if request.context.cacheUse != .loaderOnly {
                    group.addTask { [self] in
                        guard await progress.isTransferring() else { return .stale(nil) }
                        let kept = try? await run(request.fromCaches, nil)
                        return .stale(kept.flatMap { makeshiftDecision($0.image, request) == nil ? nil : $0 })
                    }
                }
                defer { group.cancelAll() }
                var stale: LoadResult?
                while let outcome = try await group.next() {
                    switch outcome {
                    case .loaded(let result): return result
                    case .stale(let result): stale = result
                    case .late: return try makeshift(request, stale, progress.preview, wait)
                    }
                }
                throw ImageError.cancelled
            }
        } catch {
            throw ImageError(error, in: .load)
        }
    }

    /// What is shown in place of the picture that did not come in time.
    private func makeshift(
        _ request: Request, _ stale: LoadResult?, _ preview: Image?, _ wait: Duration
    ) throws(ImageError) -> LoadResult {
        if var stale = stale ?? imageInMemory(request) {
            stale.isStale = true
            stale.image = stale.image.scaled(request.context.scale)
            return stale
        }
        if let other = otherSize(of: request) { return other }
        if let preview {
            return LoadResult(
                image: preview, key: request.key, origin: .network, report: LoadReport(decision: .missing))
        }
        throw ImageError(
            .timedOut, .load, "there was nothing to show within \(wait); give it more time, or leave the deadline out")
    }

    /// What memory has, however old.
    private func imageInMemory(_ request: Request) -> LoadResult? {
        guard cacheForMakeshift(request) != nil, let key = request.key, let image = image(for: key, request),
            let decision = makeshiftDecision(image, request)
        else { return nil }
        return LoadResult(image: image, key: key, origin: .memory, report: LoadReport(decision: decision))
    }

    /// The largest image in memory that differs from what `request` wants only by its thumbnail size.
    private func otherSize(of request: Request) -> LoadResult? {
        guard let cache = cacheForMakeshift(request), let key = request.key else { return nil }
        let others = cache.images(ofSource: key.source).compactMap { other, image -> LoadResult? in
            guard other.withoutThumbnail == key.withoutThumbnail, permits(image.metadata.original, request),
                let decision = makeshiftDecision(image, request)
            else {
                return nil
            }
            return LoadResult(
                image: image.scaled(request.context.scale), key: other, origin: .memory, isStale: decision.isStale,
                isSmaller: true, report: LoadReport(decision: decision))
        }
        return others.max { $0.image.size.width * $0.image.size.height < $1.image.size.width * $1.image.size.height }
    }

    private func cacheForMakeshift(_ request: Request) -> (any ImageCache)? {
        guard request.context.cacheUse != .loaderOnly, request.context.cachePolicy.query.contains(.memory) else {
            return nil
        }
        return imageCache(for: request)
    }

    /// Why `image` may stand in for what did not come in time; `nil` when it is for others, or its origin wants to be asked.
    private func makeshiftDecision(_ image: Image, _ request: Request) -> CacheDecision? {
        let version = image.metadata.original
        let decision = decision(on: version, request.fromCaches)
        guard decision.allowsUse, !decision.isStale || version?.freshness?.mustRevalidate != true else { return nil }
        return decision
    }
}

private enum Outcome: Sendable {
    case loaded(LoadResult)
    case stale(LoadResult?)
    case late
}

/// How far the load has come, for whoever must decide at the deadline.
private final class Progress: Sendable {
    private let newest = Mutex<Image?>(nil)
    private let asked = AsyncStream.makeStream(of: Void.self)

    var preview: Image? { newest.withLock { $0 } }

    func heard(_ event: LoadEvent) {
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
