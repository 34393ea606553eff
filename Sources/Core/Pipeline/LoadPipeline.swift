#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

/// The state that all loads of a manager share: its components, the runs in flight, and recent failures.
///
/// Each step has one home: `LoadJob` makes a result, `OriginalJob` fetches the original for it, and `DecodeJob` decodes
/// it. This class coalesces callers into shared jobs.
final class LoadPipeline: Sendable {
    /// The runs of `LoadJob`.
    typealias Results = SingleFlight<FlightKey, SharedResult, LoadEvent>
    /// The runs of `OriginalJob`.
    typealias Originals = SingleFlight<FlightKey, Original, TransferEvent>
    /// The runs of `EncodeJob`.
    typealias Encodes = SingleFlight<FlightKey, SharedEncoding, LoadEvent>
    /// The runs of `DecodeJob`.
    typealias Decodes = SingleFlight<FlightKey, ReservedImage, Never>

    let components: ImageManager.Components
    /// The cache of decoded images, originals and results.
    let images: (any ImageCache)?
    /// Whether a loader of the manager may refuse a request. It is computed once, because every lookup needs it.
    let restrictsAccess: Bool
    let failedURLs: FailedURLs
    let pendingStores = PendingStores()
    /// The state of the shared cache; `nil` if there is none.
    let shared: SharedCacheState?
    let calls = RunningCalls()

    private let results = Results()
    private let originals = Originals()
    private let decodes = Decodes()
    private let encodes = Encodes()
    private let encodingQueue: AdmissionQueue?
    private let revalidations = Revalidations()
    /// The generations that removals end.
    private let generations = Mutex(SourceGenerations())

    init(_ components: ImageManager.Components) {
        self.components = components
        images = SplitImageCache.cache(ofOriginals: components.originalImageCache, results: components.imageCache)
        shared = components.shared.map { SharedCacheState($0) }
        restrictsAccess = components.loaders.contains { $0.restrictsAccess }
        failedURLs = FailedURLs(lifetime: components.failedURLLifetime)
        encodingQueue = components.encodingLimit.map { AdmissionQueue(limit: $0.running, waitingLimit: $0.waiting) }
    }

    /// Whether any loads are in flight, or calls that are about to start some.
    var isRunning: Bool { runningCount > 0 || !calls.isEmpty }

    /// The number of results being made.
    var runningCount: Int { results.count }

    /// The number of callers and runs so far that joined a run in flight.
    var joinedCount: Int {
        results.joinedCount + originals.joinedCount + decodes.joinedCount + encodes.joinedCount
    }

    /// The number of encoded results being made, and of those that wait for that.
    var encodingCounts: (running: Int, waiting: Int) {
        guard let encodingQueue else { return (encodes.count, 0) }
        return (encodingQueue.runningCount, encodingQueue.waitingCount)
    }

    /// Cancels all runs. Their callers receive an error of kind `cancelled`.
    func cancelAll() {
        calls.cancelAll()
        revalidations.cancelAll()
        encodes.cancelAll()
        results.cancelAll()
        decodes.cancelAll()
        originals.cancelAll()
    }

    /// Waits until every result delivered so far is stored, and revalidated if it was stale.
    func waitForStores() async {
        await revalidations.wait()
        await pendingStores.wait()
        await shared?.wait()
    }
}

// Removals.
extension LoadPipeline {
    /// Removes everything from the caches of the manager. Throws the first error of a cache.
    ///
    /// Runs that began before deliver their results, but store nothing, and loads that begin now do not join them.
    func removeAll() async throws {
        generations.withLock { $0.endAll() }
        images?.removeAll()
        // Once more at the end, for images that a load has read from the data caches meanwhile.
        defer { images?.removeAll() }
        shared?.remove(source: nil, before: components.now(), reporting: reportFailure(of: CacheKey(source: "")))
        var failure: (any Error)?
        for cache in [components.originalCache, components.dataCache].compactMap(\.self) {
            do {
                let ticket = try? await cache.ticket(forSource: "")
                if ticket?.isChecked == false { await pendingStores.wait() }
                try await cache.removeAll()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Removes what another node has removed from the shared cache.
    func purge(source: String?) async {
        shared?.ignore(source: source, before: components.now())
        if let source {
            endRuns(ofSource: source)
            images?.removeAll(ofSource: source)
        } else {
            generations.withLock { $0.endAll() }
            images?.removeAll()
        }
        for cache in [components.originalCache, components.dataCache].compactMap(\.self) {
            await attempt(CacheKey(source: source ?? "")) {
                if let source { try await cache.removeAll(ofSource: source) } else { try await cache.removeAll() }
            }
        }
        if let source { images?.removeAll(ofSource: source) } else { images?.removeAll() }
    }

    /// Makes loads of `source` that begin from now on start runs of their own.
    func endRuns(ofSource source: String) { generations.withLock { $0.end(ofSource: source) } }

    private func generation(of request: Request) -> UInt64 {
        guard let source = request.key?.source else { return 0 }
        return generations.withLock { $0.ticket(forSource: source).generation ?? 0 }
    }
}

// Results.
extension LoadPipeline {
    /// Returns the result of `request` for one caller, after storing it if the context requests that.
    ///
    /// Ten thousand callers may wait here for one image. So frames hold neither results nor typed errors, which are
    /// large, and everything that is not needed while waiting is in other functions.
    ///
    /// - Throws: An `ImageError`.
    func load(
        _ request: Request, observer: Results.Observer? = nil, reportsCached: Bool = true
    ) async throws -> SharedResult {
        try validate(request)
        guard observer == nil, !request.context.waitsForStore else {
            return try await observedLoad(request, observer: observer, reportsCached: reportsCached)
        }
        return try await result(of: request)
    }

    /// Returns the result that equal requests share, or a stale one from memory if the load fails and that is allowed.
    ///
    /// - Throws: An `ImageError`.
    @inline(never)
    func result(of request: Request, observer: Results.Observer? = nil) async throws -> SharedResult {
        let first: Result<SharedResult, any Error>
        do {
            first = .success(try await join(request, observer: observer))
        } catch {
            first = .failure(error)
        }
        if let result = permittedResult(of: first, for: request) { return result }
        return try await retry(request, after: first, observer: observer)
    }

    /// Returns the result of a first run, if `request` may use it.
    @inline(never)
    private func permittedResult(of first: Result<SharedResult, any Error>, for request: Request) -> SharedResult? {
        guard case .success(let result) = first else { return nil }
        return !result.isJoined || permits(result.version, for: request) ? result : nil
    }

    /// Loads again if the first run was of another URL with the same key, whose result or failure says nothing about
    /// this request; otherwise resorts to a stale result.
    @inline(never)
    private func retry(
        _ request: Request, after first: Result<SharedResult, any Error>, observer: Results.Observer?
    ) async throws -> SharedResult {
        do {
            if case .failure(let failure) = first, (failure as? RunFailure)?.url ?? request.url == request.url {
                throw failure
            }
            return try await join(request.scopedToURL, observer: observer)
        } catch {
            return try staleResult(of: request, after: (error as? RunFailure)?.error ?? ImageError(error, in: .load))
        }
    }

    /// Revalidates `request` in the background after a stale image was delivered, in at most one run per key.
    func revalidate(_ request: Request) {
        let request = request.revalidating
        revalidations.start(for: request.resultFlight(in: generation(of: request))) { [self] in
            _ = try await result(of: request)
        }
    }

    private func join(_ request: Request, observer: Results.Observer?) async throws -> SharedResult {
        let outcome = try await results.outcome(
            for: request.resultFlight(in: generation(of: request)), urgency: request.context.urgency,
            observer: observer,
            work: work(of: request))
        return outcome.isLeader ? outcome.value : outcome.value.joined
    }

    @inline(never)
    private func work(of request: Request) -> Results.Work {
        { [self] run in
            do {
                return try await withTierBudget {
                    SharedResult(try await LoadJob(request, pipeline: self, run: run).run())
                }
            } catch {
                throw RunFailure(url: request.url, error: ImageError(error, in: .load))
            }
        }
    }

    /// Checks that `request` has a URL and may be loaded.
    @inline(never)
    func validate(_ request: Request) throws(ImageError) {
        guard !request.url.absoluteString.isEmpty else {
            throw ImageError(.invalidURL, .request, "the URL is empty")
        }
        try checkAccess(of: request)
    }

    /// Loads `request`, with events for `observer`: of a refresh, with `reportsCached`, first the cached image. Waits
    /// for stores if the context requests that.
    @inline(never)
    private func observedLoad(
        _ request: Request, observer: Results.Observer?, reportsCached: Bool
    ) async throws -> SharedResult {
        var (request, listener) = (request, observer.map { request.context.listener($0) })
        if let observer, let full = listener, reportsCached, request.context.cacheUse == .refresh {
            let cachedRequest = request.cacheOnly
            let hit = caches(for: cachedRequest).memoryHit()
            if let cached = if let hit { hit } else { try? await result(of: cachedRequest).value(for: request) } {
                full(.cached(cached))
                // A part of the new image must not replace the whole of the old one.
                request = request.withoutPreviews
                listener = request.context.listener(observer)
            }
        }
        let result = try await result(of: request, observer: listener)
        if request.context.waitsForStore { await waitForStores(of: request) }
        return result
    }

    @inline(never)
    private func staleResult(of request: Request, after error: ImageError) throws(ImageError) -> SharedResult {
        guard let stale = caches(for: request).staleImage(after: error) else { throw error }
        return SharedResult(stale)
    }

    @inline(never)
    private func waitForStores(of request: Request) async {
        if let key = request.key { await pendingStores.wait(forSource: key.source) }
    }
}

// Encoded results.
extension LoadPipeline {
    /// Returns the encoded result of `request`, which equal requests share. `load` loads the image for it.
    ///
    /// - Throws: An `ImageError`.
    func encoded(
        _ request: EncodedRequest, observer: Encodes.Observer? = nil, load: @escaping EncodeJob.Load
    ) async throws -> SharedEncoding {
        try validate(request.image)
        let outcome = try await encodes.outcome(
            for: request.flight(in: generation(of: request.image)), urgency: request.context.urgency,
            observer: observer
        ) { [self] run in
            try await withTierBudget {
                SharedEncoding(try await EncodeJob(request, pipeline: self, run: run, load: load).run())
            }
        }
        if request.context.waitsForStore { await waitForStores(of: request.image) }
        return outcome.isLeader ? outcome.value : outcome.value.joined
    }

    /// Revalidates `request` in the background after a stale file was delivered, in at most one run per key.
    func revalidate(_ request: EncodedRequest, load: @escaping EncodeJob.Load) {
        let request = request.revalidating
        revalidations.start(for: request.flight(in: generation(of: request.image))) { [self] in
            _ = try await encoded(request, load: load)
        }
    }

    /// Waits until another encoded result may be made. Returns the permission, or `nil` if there is no limit.
    func admitEncoding(_ urgency: Urgency) async throws -> Admission? { try await encodingQueue?.admit(urgency) }
}

// Originals and decoded images, which results share.
extension LoadPipeline {
    /// Returns the original of `request`, which is fetched once for all results made from it, and whether another run
    /// fetched it.
    func original(
        for request: Request, urgency: Urgency, observer: @escaping Originals.Observer
    ) async throws -> (original: Original, isJoined: Bool) {
        do {
            let result = try await join(request, urgency: urgency, observer: observer)
            if !result.isJoined || permits(result.original.version, for: request) { return result }
            return try await join(request.scopedToURL, urgency: urgency, observer: observer)
        } catch let failure as RunFailure where failure.url != request.url {
            return try await join(request.scopedToURL, urgency: urgency, observer: observer)
        } catch let error as ImageError where request.context.acceptsAnyData && error.refusesForLackOfCoder {
            // The run was that of a request that needs an image.
            return try await join(request.retryingFailed, urgency: urgency, observer: observer)
        }
    }

    /// Returns the original of `request` for a caller that does not need its image now, after storing it if the context
    /// requests that.
    ///
    /// - Parameter requiresImage: Whether it fails if no coder accepts the bytes.
    /// - Throws: An `ImageError`.
    func fetchOriginal(of request: Request, requiresImage: Bool) async throws -> Original {
        try validate(request)
        let original = try await original(for: request, urgency: request.context.urgency) { _ in }.original
        if requiresImage { try checkImage(of: original, for: request) }
        if request.context.waitsForStore { await waitForStores(of: request) }
        return original
    }

    /// Returns the image of `job`, which is decoded once for all results of the same version and size.
    func decoded(_ job: DecodeJob, flight: FlightKey) async throws -> ReservedImage {
        try await decodes.value(for: flight, urgency: job.scope.urgency) { [self] run in
            let trace = LoadTrace()
            var decoded = try await job.joined(to: run).run(on: self, trace: trace)
            decoded.stages = trace.value.stages
            return decoded
        }
    }

    private func join(
        _ request: Request, urgency: Urgency, observer: @escaping Originals.Observer
    ) async throws -> (original: Original, isJoined: Bool) {
        do {
            let flight = request.originalFlight(in: generation(of: request))
            let outcome = try await originals.outcome(for: flight, urgency: urgency, observer: observer) {
                [self] run in
                do {
                    return try await withTierBudget {
                        try await OriginalJob(request, pipeline: self, run: run).run()
                    }
                } catch {
                    throw RunFailure(url: request.url, error: ImageError(error, in: .load))
                }
            }
            return (outcome.value, !outcome.isLeader)
        } catch let failure as RunFailure where failure.url == request.url {
            throw failure.error
        }
    }
}

extension ImageError {
    /// Whether the URL was not loaded because its bytes were no image that a coder accepts.
    fileprivate var refusesForLackOfCoder: Bool { kind == .refused && cause.kind == .noCoder }
}

/// The failure of a run, with the URL that it loaded, because requests for other URLs may have the same key.
private struct RunFailure: Error {
    let url: URL
    let error: ImageError
}

extension ImageContext {
    /// Returns an observer that forwards the events of a run to one caller, at its scale and progress interval.
    @inline(never)
    fileprivate func listener(_ observer: @escaping LoadPipeline.Results.Observer) -> LoadPipeline.Results.Observer {
        let (scale, delivers, filter) = (scale, deliversPreviews, ProgressFilter(interval: progressInterval))
        return { event in
            switch event {
            case .preview(let image): if delivers { observer(.preview(image.scaled(scale))) }
            case .progress(let received, let expected):
                if filter.passes(received, of: expected) { observer(event) }
            default: observer(event)
            }
        }
    }
}
