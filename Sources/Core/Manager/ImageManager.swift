#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Loads images: combines caches, loaders, coders and transformers into one pipeline.
///
/// The components are fixed at initialization. Use one manager for as long as you load images: equal requests to the
/// same manager are coalesced. `LoadJob` performs a load, and `OriginalJob` fetches the original if no cache has it.
public final class ImageManager: Sendable {
    private let pipeline: LoadPipeline
    /// The cache of decoded images, or an empty one if there is none.
    private let memory: any ImageCache
    /// Whether requests are used unchanged: nothing rewrites them, and no loader refuses them.
    private let usesRequestsUnchanged: Bool
    private let isObserved: Bool

    /// Creates a manager of the components that `configure` sets.
    ///
    /// - Throws: The errors of `configure`, and an ``ImageError`` of kind `refused` if a component has an invalid
    ///   value.
    public init(_ configure: (inout Components) throws -> Void) throws {
        var components = Components()
        try configure(&components)
        try components.validate()
        pipeline = LoadPipeline(components)
        memory = pipeline.images ?? NoImageCache()
        usesRequestsUnchanged =
            components.processors.isEmpty && components.keyFilters.isEmpty && components.defaults.isEmpty
            && !pipeline.restrictsAccess
        isObserved = !components.observers.isEmpty
        for tenant in memory.memoryTenants { components.memoryBudget.add(tenant) }
    }

    /// The registry of coders, for decoding and encoding outside a load.
    public var coders: CoderRegistry { pipeline.components.coders }

    private func request(for url: URL, context: ImageContext) -> Request {
        Request(url, context: context, pipeline: pipeline)
    }
}

// Loading.
extension ImageManager {
    /// Loads the image at `url` with the options of `context`.
    ///
    /// An image in memory is returned without suspending. Otherwise equal requests share one run. Cancelling the task
    /// leaves the run at once, and cancels it if no other caller is left.
    public func load(_ url: URL, context: ImageContext = .init()) async throws(ImageError) -> LoadResult {
        let isMiss: Bool
        switch lookUpInMemory(url, context: context) {
        case .hit(let hit): return hit.result(for: url)
        case .miss: isMiss = true
        case .undecided: isMiss = false
        }
        return try await load(request(for: url, context: context), observer: nil, skipsMemory: isMiss)
    }

    /// Loads one image with the options of each of `contexts`, and returns the results in the same order.
    ///
    /// The original is fetched once, and a failure to fetch it is the result of all of them. Sizes that differ only in
    /// their bounds are made from one decoded image, that of the largest size. Each is resized and transformed
    /// separately, and stored under its own key.
    public func load(_ url: URL, contexts: [ImageContext]) async -> [Result<LoadResult, ImageError>] {
        let requests = contexts.map { request(for: url, context: $0) }
        let finished = try? await pipeline.calls.run { [self] in await results(of: requests) }
        return finished ?? contexts.map { _ in .failure(.cancelled) }
    }

    private func results(of requests: [Request]) async -> [Result<LoadResult, ImageError>] {
        var isCached: [Bool] = []
        for request in requests { isCached.append(await pipeline.caches(for: request).containsResult()) }
        let plan = SizesPlan(requests, isCached: isCached)
        let failure = SharedFailure()
        return await withTaskGroup(of: [(Int, Result<LoadResult, ImageError>)].self) { group in
            for sizes in plan.groups { group.addTask { [self] in await load(sizes, sharing: failure) } }
            var results = [Result<LoadResult, ImageError>](repeating: .failure(.cancelled), count: requests.count)
            for await finished in group {
                for (index, result) in finished { results[index] = result }
            }
            return results
        }
    }

    /// Loads the image at `url` with the options of `context`, or returns the best substitute when the deadline
    /// expires.
    ///
    /// After `wait`, that is a stale image from the caches (``LoadResult/isStale``), the image at another size from
    /// memory (``LoadResult/isSubstitute``), or the last preview (`image.metadata.isPreview`), in this order. The
    /// caches are used only if the request may read them and the origin server does not forbid stale responses. After
    /// the deadline, the load continues only if other callers wait for it.
    ///
    /// - Throws: An ``ImageError`` of kind `timedOut` if there is no substitute.
    public func load<C: Clock>(
        _ url: URL, context: ImageContext = .init(), within wait: Duration, clock: C = ContinuousClock()
    ) async throws(ImageError) -> LoadResult where C.Duration == Duration {
        let load = DeadlineLoad(request(for: url, context: context), pipeline: pipeline)
        do {
            return try await pipeline.calls.run {
                try await load.result(after: wait) {
                    try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil)
                } load: { [self] request, observer in
                    try await self.load(request, observer: observer)
                }
            }
        } catch {
            throw ImageError(error, in: .load)
        }
    }

    /// Returns the events of a load of `url`: progress and previews, and finally the result that `load` would return.
    ///
    /// A slow reader gets only the newest progress and preview. Leaving the sequence cancels the load.
    public func events(
        for url: URL, context: ImageContext = .init()
    ) -> AsyncThrowingStream<LoadEvent, any Error> {
        events { [self] in try await load(url, context: context, observer: $0) }
    }

    /// Returns the events of a load of `request`.
    func events(of request: Request) -> AsyncThrowingStream<LoadEvent, any Error> {
        events { [self] in try await load(request, observer: $0) }
    }

    private func events(
        of load: @escaping @Sendable (@escaping LoadPipeline.Results.Observer) async throws -> LoadResult
    ) -> AsyncThrowingStream<LoadEvent, any Error> {
        let channel = EventChannel<LoadEvent, any Error>()
        let call = pipeline.calls.start {
            try await load { channel.send($0) }
        } completion: { result in
            switch result {
            case .success(let result):
                channel.send(.finished(result))
                channel.finish()
            case .failure(let error): channel.finish(throwing: error)
            }
        }
        return channel.stream { [calls = pipeline.calls] in calls.cancel(call) }
    }

    /// The start of a load that shows what is in memory before it suspends.
    enum Start {
        case hit(LoadResult)
        /// The load goes on with this request.
        case pending(Request)
    }

    /// Starts a load of `url`. With `searchesMemory`, a hit is returned, and observers are notified as for any load.
    func start(_ url: URL, context: ImageContext, searchesMemory: Bool) -> Start {
        let lookup = searchesMemory ? lookUpInMemory(url, context: context) : .miss
        if case .hit(let hit) = lookup { return .hit(hit.result(for: url)) }
        let (start, request) = (ContinuousClock.now, request(for: url, context: context))
        guard !lookup.isMiss, let hit = pipeline.caches(for: request).memoryHit() else { return .pending(request) }
        notifyObservers(of: request, since: start, result: .success(hit))
        return .hit(hit)
    }

    /// Returns the image in memory that `request` shows first; `nil` if there is none, or it is not a refresh.
    func imageBeforeRefresh(_ request: Request) -> LoadResult? {
        guard request.context.cacheUse == .refresh else { return nil }
        return pipeline.caches(for: request.cacheOnly).memoryHit()
    }

    /// Loads an image like `load(_:context:)`, and calls `observer` with the events of the run, on any thread.
    func load(
        _ url: URL, context: ImageContext, observer: LoadPipeline.Results.Observer?
    ) async throws(ImageError) -> LoadResult {
        let lookup = lookUpInMemory(url, context: context)
        if case .hit(let hit) = lookup { return hit.result(for: url) }
        return try await load(request(for: url, context: context), observer: observer, skipsMemory: lookup.isMiss)
    }

    /// Loads `request`. `skipsMemory` states that memory has been searched already.
    ///
    /// Ten thousand callers may wait here for one image, so the frame must not hold a result or an error.
    @inline(never)
    private func load(
        _ request: Request, observer: LoadPipeline.Results.Observer?, skipsMemory: Bool = false,
        reportsCached: Bool = true
    ) async throws(ImageError) -> LoadResult {
        let start = isObserved ? ContinuousClock.now : nil
        let outcome: Result<SharedResult, any Error>
        if let hit = skipsMemory ? nil : sharedMemoryHit(request) {
            outcome = .success(hit)
        } else {
            do {
                outcome = .success(try await pipeline.load(request, observer: observer, reportsCached: reportsCached))
            } catch {
                outcome = .failure(error)
            }
        }
        return try finish(request, since: start, with: outcome)
    }

    @inline(never)
    private func sharedMemoryHit(_ request: Request) -> SharedResult? {
        pipeline.caches(for: request).memoryHit().map(SharedResult.init)
    }

    /// Returns the result or throws the error for the caller, and notifies the observers.
    @inline(never)
    private func finish(
        _ request: Request, since start: ContinuousClock.Instant?, with outcome: Result<SharedResult, any Error>
    ) throws(ImageError) -> LoadResult {
        let result = outcome.map { $0.value(for: request) }.mapError { ImageError($0, in: .load) }
        notifyObservers(of: request, since: start, result: result)
        return try result.get()
    }

    private func notifyObservers(
        of request: Request, since start: ContinuousClock.Instant?, result: Result<LoadResult, ImageError>
    ) {
        guard let start else { return }
        let record = LoadRecord(
            url: request.url, context: request.context, interval: start..<max(start, .now), result: result)
        for observer in pipeline.components.observers { observer.loadEnded(record) }
    }

    /// An image in memory that is fresh. It is small, because copies of a result take a tenth of a hit's time.
    private struct MemoryHit {
        let image: Image
        let key: CacheKey
        let verdict: CacheDecision

        @inline(__always)
        consuming func result(for url: URL) -> LoadResult {
            LoadResult(url: url, image: image, key: key, origin: .memory, report: LoadReport(decision: verdict))
        }
    }

    /// The outcome of a lookup in memory without a request.
    private enum MemoryLookup {
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
    private func lookUpInMemory(_ url: URL, context: ImageContext) -> MemoryLookup {
        guard !isObserved, usesRequestsUnchanged, context.hasDefaultLookup else { return .undecided }
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

    /// Loads the base of `sizes`, and then all sizes made from it.
    private func load(
        _ sizes: SizesPlan.Group, sharing failure: SharedFailure
    ) async -> [(Int, Result<LoadResult, ImageError>)] {
        let decode = SharedDecode(base: sizes.base.request, failure: failure)
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

// Encoded results.
extension ImageManager {
    /// Loads the image at `url` with the options of `context`, and returns it as the bytes of a file.
    ///
    /// The file is always encoded by a coder of the manager: it contains nothing of the original that `context` does
    /// not select. It is stored in the data cache, under the key of the image and the encoding options, instead of the
    /// image, and has the same freshness. An image that a load or the app has stored as the result is encoded as it is.
    /// Equal requests share one run. Cancelling the task leaves the run at once, and cancels it if no other caller is
    /// left.
    ///
    /// - Parameters:
    ///   - url: The URL of the image.
    ///   - context: The options of the load and of encoding.
    ///   - format: The format; `nil` for that of ``ImageContext/encodedFormat``.
    ///   - onEvent: Called with the events of the load of the image, such as progress, on any thread. Cached images and
    ///     the result are not among them.
    /// - Throws: An ``ImageError``; of kind `busy` if ``Components/encodingLimit`` is exceeded, and of kind
    ///   `unsupported` if the format cannot represent the image.
    public func encoded(
        _ url: URL, context: ImageContext = .init(), as format: ImageFormat? = nil,
        onEvent: (@Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> EncodedResult {
        try await encoded(prepare(url, context: context, as: format), onEvent: onEvent)
    }

    /// Returns the encoded result of `request`, as ``encoded(_:context:as:onEvent:)`` does.
    public func encoded(
        _ request: PreparedRequest, onEvent: (@Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> EncodedResult {
        if let hit = encodedInMemory(request) { return hit }
        do {
            return try await pipeline.encoded(request.encoded, observer: onEvent, load: loadForEncoding).value
        } catch {
            throw ImageError(error, in: .encode)
        }
    }

    /// Returns the file that `encoded` would return, if it would not suspend; otherwise `nil`.
    ///
    /// A stale file that may be used meanwhile is revalidated in the background.
    public func encodedInMemory(
        for url: URL, context: ImageContext = .init(), as format: ImageFormat? = nil
    ) -> EncodedResult? {
        encodedInMemory(prepare(url, context: context, as: format))
    }

    /// Returns the file that `encoded` would return, if it would not suspend; otherwise `nil`.
    public func encodedInMemory(_ request: PreparedRequest) -> EncodedResult? {
        guard let (hit, verdict) = EncodedHit.inMemory(request.encoded, pipeline: pipeline) else { return nil }
        if case .staleWhileRevalidating = verdict { pipeline.revalidate(request.encoded, load: loadForEncoding) }
        return hit
    }

    /// Returns a request for ``encoded(_:onEvent:)`` and ``encodedInMemory(_:)`` of this manager, to be used many times.
    public func prepare(
        _ url: URL, context: ImageContext = .init(), as format: ImageFormat? = nil
    ) -> PreparedRequest {
        guard let format else { return PreparedRequest(encoded: EncodedRequest(request(for: url, context: context))) }
        var context = context
        context.encodedFormat = .only(format)
        return PreparedRequest(encoded: EncodedRequest(request(for: url, context: context)))
    }

    /// Returns what `encoded` would do now, found out without loading, decoding or changing anything.
    public func explainEncoded(
        _ url: URL, context: ImageContext = .init(), as format: ImageFormat? = nil
    ) async -> LoadPlan {
        await LoadPlanner.makePlan(of: prepare(url, context: context, as: format).encoded, pipeline: pipeline)
    }

    /// The number of encoded results being made, and of those that wait because of ``Components/encodingLimit``.
    public var encodingCounts: (running: Int, waiting: Int) { pipeline.encodingCounts }

    private var loadForEncoding: EncodeJob.Load {
        { [self] (request, observer) async throws(ImageError) -> LoadResult in
            try await load(request, observer: observer, reportsCached: false)
        }
    }
}

// Originals, which are not decoded.
extension ImageManager {
    /// Returns the bytes of the original of `url` as received, from the caches or a loader, without decoding them.
    ///
    /// Transfers and cached originals are shared with loads of the image. The observers are not notified.
    ///
    /// - Throws: An ``ImageError``; of kind `unsupported` if the loader delivers a decoded image.
    public func data(_ url: URL, context: ImageContext = .init()) async throws(ImageError) -> OriginalData {
        let request = request(for: url, context: context).with { $0.cachePolicy.originalQuery.remove(.memory) }
        do {
            return try OriginalData(of: try await pipeline.fetchOriginal(of: request), url: request.url)
        } catch {
            throw ImageError(error, in: .load)
        }
    }

    /// Loads the image at `url` into the caches that `context` allows, without decoding it if only its original is
    /// stored. Returns whether it was there already.
    func prefetch(_ url: URL, context: ImageContext) async throws(ImageError) -> Bool {
        if await isCached(url, context: context) { return true }
        let request = request(for: url, context: context)
        guard pipeline.caches(for: request).writer.storesOnlyOriginal else {
            _ = try await load(url, context: context)
            return false
        }
        do {
            return try await pipeline.fetchOriginal(of: request).origin == .disk
        } catch {
            throw ImageError(error, in: .load)
        }
    }
}

// Using the caches without loading.
extension ImageManager {
    /// Returns the key under which a load with `context` is cached; `nil` if a key filter excludes it from all caches.
    public func key(for url: URL, context: ImageContext = .init()) -> CacheKey? {
        request(for: url, context: context).key
    }

    /// Returns the image of `url` from memory without waiting, if it is fresh.
    public func cachedImage(for url: URL, context: ImageContext = .init()) -> Image? {
        let request = request(for: url, context: context)
        guard let (image, verdict) = pipeline.caches(for: request).usableImage() else { return nil }
        if case .staleWhileRevalidating = verdict { return nil }
        return image.scaled(request.context.scale)
    }

    /// Stores `image` in the caches in which a load of `url` with `context` stores its result, and returns when that is
    /// done. Such a load then returns it, from memory, or from disk after a restart.
    ///
    /// It is stored as it is, neither resized nor transformed, and is fresh until it is removed or replaced, unless
    /// `image.metadata.original` declares a freshness. If `context` changes no pixels, it is the original from now on:
    /// all earlier entries of `url` are removed. Otherwise only the result is replaced, with the file that `encoded` has
    /// made of it with the encoding options of `context`, and is removed with an original that turns out to have
    /// changed. Loads in flight deliver their results, but store nothing of `url`, and loads that begin later do not
    /// join them. It is not shared with other nodes: the shared cache contains only what origin servers have sent, and
    /// what was made of it.
    ///
    /// - Parameters:
    ///   - image: The image, which must be complete.
    ///   - url: The URL of the image.
    ///   - context: The options of the loads that return the image. Its `cachePolicy` selects the caches, and its
    ///     `extendedData` is stored with the image.
    ///   - encoded: The image as a file, for the data cache; `nil` encodes it in ``Components/resultFormat``. Only the
    ///     signature is checked. A serializer may replace either.
    /// - Throws: An ``ImageError``. Nothing is stored if encoding fails, if no cache stores the image (of kind
    ///   `refused`), or if the image is not complete. If only the data cache fails, its error is thrown, and the image
    ///   is in memory.
    public func store(
        _ image: Image, for url: URL, context: ImageContext = .init(), encoded: Data? = nil
    ) async throws(ImageError) {
        do {
            let request = request(for: url, context: context)
            try await StoreJob(image, file: encoded, for: request, in: pipeline).run()
        } catch {
            throw ImageError(error, in: .cache)
        }
    }

    /// Returns whether a readable cache has the result of a load with `context`, fresh or stale. Nothing is decoded.
    ///
    /// An image of a local source that has changed since, or one fetched for other header fields, does not count.
    public func isCached(_ url: URL, context: ImageContext = .init()) async -> Bool {
        await pipeline.caches(for: request(for: url, context: context)).containsResult()
    }

    /// Returns what a load of `url` would do now, found out without loading, decoding or changing anything.
    public func explain(_ url: URL, context: ImageContext = .init()) async -> LoadPlan {
        var planner = LoadPlanner(request(for: url, context: context), pipeline: pipeline)
        return await planner.makePlan()
    }
}

// The work in flight.
extension ImageManager {
    /// Cancels all loads, those of several contexts included. Their callers receive an error of kind `cancelled`.
    public func cancelAll() { pipeline.cancelAll() }

    /// Whether any loads are in flight. A load counts from the moment at which its call returned or suspended.
    public var isRunning: Bool { pipeline.isRunning }

    /// The number of distinct results being made.
    public var runningCount: Int { pipeline.runningCount }

    /// The number of callers and runs so far that joined a run in flight, for tests.
    var joinedCount: Int { pipeline.joinedCount }

    /// Waits until every result delivered so far is stored, and revalidated if it was stale. Call it before the process
    /// exits.
    public func waitForStores() async { await pipeline.waitForStores() }

    /// Removes `url` from the failed URLs, so that it can be loaded again at once.
    public func removeFailed(_ url: URL) {
        pipeline.failedURLs.remove(url)
        if !pipeline.components.processors.isEmpty {
            pipeline.failedURLs.remove(request(for: url, context: .init()).url)
        }
    }

    /// Removes all failed URLs.
    public func removeAllFailed() { pipeline.failedURLs.removeAll() }

    /// Removes everything from the caches of the manager.
    ///
    /// Loads in flight continue and deliver their results, which are not stored. Loads that begin later do not join
    /// them. The shared cache is cleared in the background; its entries count as misses at once.
    ///
    /// - Throws: The first error of a cache; the others are cleared nevertheless.
    public func removeAll() async throws { try await pipeline.removeAll() }

    /// Removes the original of `url` and all results made from it, from memory and disk.
    ///
    /// Loads in flight continue and deliver their results, which are not stored. Loads that begin later do not join
    /// them. In the shared cache, the entries are removed in the background, and count as misses at once.
    public func removeAll(of url: URL, context: ImageContext = .init()) async throws {
        try await pipeline.caches(for: request(for: url, context: context)).writer.removeAll()
    }

    /// Removes what another node has removed from the shared cache: everything of `source`, a ``CacheKey/source``, or
    /// everything if it is `nil`, from the caches of this manager.
    ///
    /// It does not remove anything from the shared cache. Errors of the data caches are passed to the observers.
    public func purge(source: String?) async { await pipeline.purge(source: source) }
}

// The lifecycle of the host, which calls these: the framework installs no signal handlers or timers by itself.
extension ImageManager {
    /// Makes the caches release memory as `pressure` requires. ``MemoryPressureMonitor`` can report the pressure.
    public func didReceiveMemoryPressure(_ pressure: MemoryPressure) {
        pipeline.images?.respond(to: pressure)
        pipeline.components.dataCache?.respond(to: pressure)
        pipeline.components.originalCache?.respond(to: pressure)
    }

    /// Removes expired entries from the data caches, and shrinks those that exceed their size limits. Call it when the
    /// app moves to the background.
    public func trim() async {
        try? await pipeline.components.dataCache?.trim()
        try? await pipeline.components.originalCache?.trim()
    }

    /// Stores the results delivered so far and trims the data caches. Call it before the process exits.
    public func flush() async {
        await waitForStores()
        await trim()
    }
}
