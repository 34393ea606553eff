#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Loads pictures: joins caches, loaders, coders and transformers into one pipeline.
///
/// Its parts are fixed when it is made. Keep it for as long as you load: equal requests to one manager share their work.
/// A load goes through `LoadJob`, and what is not there yet through `OriginalJob`.
public final class ImageManager: Sendable {
    private let pipeline: LoadPipeline
    /// The image cache; an empty one when there is none.
    private let memory: any ImageCache
    /// Whether requests are taken as they are: nothing changes them, and no loader refuses them.
    private let takesRequestsAsTheyAre: Bool
    private let isObserved: Bool

    /// A manager of the parts that `configure` puts together.
    ///
    /// - Throws: What `configure` throws, and an `ImageError` of kind `refused` when a value among the parts cannot work.
    public init(_ configure: (inout Components) throws -> Void) throws {
        var components = Components()
        try configure(&components)
        try components.validate()
        pipeline = LoadPipeline(components)
        memory = components.imageCache ?? NoImageCache()
        takesRequestsAsTheyAre =
            components.processors.isEmpty && components.keyFilters.isEmpty && components.defaults.isEmpty
            && !pipeline.restrictsAccess
        isObserved = !components.observers.isEmpty
        for tenant in components.imageCache?.memoryTenants ?? [] { components.memoryBudget.add(tenant) }
    }

    /// The coders, for decoding and encoding outside a load.
    public var coders: CoderRegistry { pipeline.components.coders }

    private func request(for url: URL, context: ImageContext) -> Request {
        Request(url, context: context, pipeline: pipeline)
    }
}

// Loading.
extension ImageManager {
    /// Loads the picture at `url` as `context` wants it.
    ///
    /// An image in memory is returned without suspending. Otherwise equal requests share one run; cancelling the task
    /// leaves it at once, and ends it when no other caller is left.
    public func load(_ url: URL, context: ImageContext = .init()) async throws(ImageError) -> LoadResult {
        try await load(url, context: context, observer: nil)
    }

    /// Loads one picture as each of `contexts` wants it, and returns the results in their order.
    ///
    /// It is fetched once. Sizes that differ in nothing but the bounds they fit into are made of one decoded picture, that
    /// of the largest; each is sized and transformed on its own, and stored under its own key.
    public func load(_ url: URL, contexts: [ImageContext]) async -> [Result<LoadResult, ImageError>] {
        let requests = contexts.map { request(for: url, context: $0) }
        var isCached: [Bool] = []
        for request in requests { isCached.append(await pipeline.caches(for: request).haveResult()) }
        let plan = SizesPlan(requests, isCached: isCached)
        return await withTaskGroup(of: [(Int, Result<LoadResult, ImageError>)].self) { group in
            for sizes in plan.groups { group.addTask { [self] in await load(sizes) } }
            var results = [Result<LoadResult, ImageError>](repeating: .failure(.cancelled), count: contexts.count)
            for await answers in group {
                for (index, result) in answers { results[index] = result }
            }
            return results
        }
    }

    /// Loads the picture at `url` as `context` wants it, and after `wait` returns the best that is to be had by then.
    ///
    /// That is a stale picture from the caches (`LoadResult.isStale`); else the same picture at another size
    /// (`isSmaller`), from memory; else the last preview (`image.metadata.isIncomplete`). The caches count only where they
    /// may be read, and where the origin does not forbid to use a stale picture. After the deadline the load goes on only
    /// if others wait for it.
    ///
    /// - Throws: An `ImageError` of kind `timedOut` when there is none of these.
    public func load<C: Clock>(
        _ url: URL, context: ImageContext = .init(), within wait: Duration, clock: C = ContinuousClock()
    ) async throws(ImageError) -> LoadResult where C.Duration == Duration {
        let load = DeadlineLoad(request(for: url, context: context), pipeline: pipeline)
        do {
            return try await load.result(after: wait) {
                try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil)
            } load: { [self] request, observer in
                try await self.load(request, observer: observer)
            }
        } catch {
            throw ImageError(error, in: .load)
        }
    }

    /// The events of a load of `url`: progress and previews, and at last the result that `load` would return.
    ///
    /// A slow reader gets only the newest progress and preview. Leaving the sequence cancels the load.
    public func events(
        for url: URL, context: ImageContext = .init()
    ) -> AsyncThrowingStream<LoadEvent, any Error> {
        let channel = EventChannel()
        let task = Task { [self] in
            do {
                let result = try await load(url, context: context) { channel.send($0) }
                channel.send(.finished(result))
                channel.finish(nil)
            } catch {
                channel.finish(error)
            }
        }
        return channel.stream { task.cancel() }
    }

    /// The result of a load of `url` that needs no waiting; `nil` when it would suspend. Observers hear of it as of any load.
    func loadFromMemory(_ url: URL, context: ImageContext) -> LoadResult? {
        guard isObserved else { return memoryHit(url, context: context) }
        let start = ContinuousClock.now
        let request = request(for: url, context: context)
        guard let hit = pipeline.caches(for: request).memoryHit() else { return nil }
        notifyObservers(of: request, since: start, .success(hit))
        return hit
    }

    /// Like `load(_:context:)`; `observer` is called with the events of the run, on any thread.
    func load(
        _ url: URL, context: ImageContext, observer: LoadPipeline.Results.Observer?
    ) async throws(ImageError) -> LoadResult {
        // By itself, so that nothing is copied into the frame of a caller that waits.
        if !isObserved, let hit = memoryHit(url, context: context) { return hit }
        return try await load(request(for: url, context: context), observer: observer)
    }

    private func load(
        _ request: Request, observer: LoadPipeline.Results.Observer?
    ) async throws(ImageError) -> LoadResult {
        if isObserved { return try await observedLoad(request, observer: observer) }
        if let hit = pipeline.caches(for: request).memoryHit() { return hit }
        return try await pipeline.load(request, observer: observer)
    }

    private func observedLoad(
        _ request: Request, observer: LoadPipeline.Results.Observer?
    ) async throws(ImageError) -> LoadResult {
        let start = ContinuousClock.now
        do throws(ImageError) {
            let hit = pipeline.caches(for: request).memoryHit()
            let result = if let hit { hit } else { try await pipeline.load(request, observer: observer) }
            notifyObservers(of: request, since: start, .success(result))
            return result
        } catch {
            notifyObservers(of: request, since: start, .failure(error))
            throw error
        }
    }

    private func notifyObservers(
        of request: Request, since start: ContinuousClock.Instant, _ result: Result<LoadResult, ImageError>
    ) {
        let record = LoadRecord(
            url: request.url, context: request.context, start: start, duration: .now - start, result: result)
        for observer in pipeline.components.observers { observer.loadEnded(record) }
    }

    /// The image of `url` in memory, if it may be shown without waiting.
    ///
    /// Most loads end here. Counting references is what this costs, so a request is made, and the version of the original
    /// copied, only where that cannot be helped.
    @inline(never)
    private func memoryHit(_ url: URL, context: ImageContext) -> LoadResult? {
        guard takesRequestsAsTheyAre, context.isPlain else {
            return pipeline.caches(for: request(for: url, context: context)).memoryHit()
        }
        let key = CacheKey(source: url.absoluteString, context.variant)
        guard let image = memory.image(for: key) else { return nil }
        guard let verdict = image.freshness.verdict(for: context, at: pipeline.components.now()) else {
            return pipeline.caches(for: request(for: url, context: context)).hit(image)
        }
        return LoadResult(image: image, key: key, origin: .memory, report: LoadReport(decision: verdict))
    }

    /// Loads the base of `sizes`, and then all that is made of it.
    private func load(_ sizes: SizesPlan.Group) async -> [(Int, Result<LoadResult, ImageError>)] {
        let decode = SharedDecode(base: sizes.base.request)
        let first = await result(of: sizes.base, decode: decode)
        return await withTaskGroup(of: (Int, Result<LoadResult, ImageError>).self) { group in
            for member in sizes.others { group.addTask { [self] in await result(of: member, decode: decode) } }
            return await group.reduce(into: [first]) { $0.append($1) }
        }
    }

    private func result(
        of member: SizesPlan.Member, decode: SharedDecode
    ) async -> (Int, Result<LoadResult, ImageError>) {
        do throws(ImageError) {
            return (member.index, .success(try await load(member.request.sharing(decode), observer: nil)))
        } catch {
            return (member.index, .failure(error))
        }
    }
}

// Looking without loading.
extension ImageManager {
    /// The key under which a load with `context` is cached; `nil` when a filter keeps it out of all caches.
    public func key(for url: URL, context: ImageContext = .init()) -> CacheKey? {
        request(for: url, context: context).key
    }

    /// The image of `url` that is in memory and fresh, without waiting.
    public func cachedImage(for url: URL, context: ImageContext = .init()) -> Image? {
        let request = request(for: url, context: context)
        guard let (image, verdict) = pipeline.caches(for: request).usableImage() else { return nil }
        if case .staleWhileRevalidating = verdict { return nil }
        return image.scaled(request.context.scale)
    }

    /// Whether a cache has what a load with `context` would return, fresh or not, and may be read. Nothing is decoded.
    ///
    /// A picture made of a local source that has changed since, or fetched for other header fields, does not count.
    public func isCached(_ url: URL, context: ImageContext = .init()) async -> Bool {
        await pipeline.caches(for: request(for: url, context: context)).haveResult()
    }

    /// Whether a load of `url` may use something that was made of `version`: its loader takes the URL now, and could have
    /// reached the source in the same way. For those who cache what they make of results themselves.
    public func permits(_ version: OriginalVersion?, for url: URL, context: ImageContext = .init()) -> Bool {
        let request = request(for: url, context: context)
        guard (try? pipeline.checkAccess(of: request)) != nil else { return false }
        return pipeline.permits(version, for: request)
    }

    /// Returns what a load of `url` would do now, found out without loading, decoding or changing anything.
    public func explain(_ url: URL, context: ImageContext = .init()) async -> LoadPlan {
        var planner = LoadPlanner(request(for: url, context: context), pipeline: pipeline)
        return await planner.makePlan()
    }
}

// The work under way.
extension ImageManager {
    /// Cancels all loads; their callers get an error of kind `cancelled`.
    public func cancelAll() { pipeline.cancelAll() }

    /// Whether loads are under way.
    public var isRunning: Bool { runningCount > 0 }

    /// The number of different pictures that are being made.
    public var runningCount: Int { pipeline.runningCount }

    /// Returns when every result delivered so far is stored, and revalidated if it was delivered stale. Call it before the
    /// process ends.
    public func waitForStores() async { await pipeline.waitForStores() }

    /// Forgets that `url` failed.
    public func removeFailed(_ url: URL) {
        pipeline.failedURLs.remove(url)
        if !pipeline.components.processors.isEmpty {
            pipeline.failedURLs.remove(request(for: url, context: .init()).url)
        }
    }

    /// Forgets all failures.
    public func removeAllFailed() { pipeline.failedURLs.removeAll() }

    /// Removes the original behind `url` and everything made of it from memory and disk.
    public func removeAll(of url: URL, context: ImageContext = .init()) async throws {
        try await pipeline.caches(for: request(for: url, context: context)).writer.removeAll()
    }
}

// The life of the host. Nothing is called by itself: there are no signal handlers and no timers unless someone installs them.
extension ImageManager {
    /// Makes the memory cache give back memory, as far as `pressure` demands. `MemoryPressureMonitor` can tell when.
    public func didReceiveMemoryPressure(_ pressure: MemoryPressure) {
        pipeline.components.imageCache?.respond(to: pressure)
    }

    /// Removes what is too old and too much from the disk. For when the app is not looked at any more.
    public func didEnterBackground() async { await trimCaches() }

    /// Stores what was delivered, and removes what is too old and too much from the disk. For the end of the process.
    public func willTerminate() async {
        await waitForStores()
        await trimCaches()
    }

    private func trimCaches() async {
        try? await pipeline.components.dataCache?.trim()
        try? await pipeline.components.originalCache?.trim()
    }
}
