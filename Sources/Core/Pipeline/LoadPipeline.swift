#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What all loads of a manager share: its parts, the runs under way, and what failed lately.
///
/// Every step has one place: `LoadJob` makes a result, `OriginalJob` fetches what it is made of, `DecodeJob` decodes it.
/// This class joins callers to the jobs that they share.
final class LoadPipeline: Sendable {
    /// Runs of `LoadJob`.
    typealias Results = SingleFlight<FlightKey, SharedResult, LoadEvent>
    /// Runs of `OriginalJob`.
    typealias Originals = SingleFlight<FlightKey, Original, TransferEvent>
    /// Runs of `DecodeJob`.
    typealias Decodes = SingleFlight<FlightKey, ReservedImage, Never>

    let components: ImageManager.Components
    /// Whether a loader of the manager may refuse a request; decided once, because every look-up asks.
    let restrictsAccess: Bool
    let failedURLs: FailedURLs
    let pendingStores = PendingStores()

    private let results = Results()
    private let originals = Originals(startsHere: true)
    private let decodes = Decodes(startsHere: true)
    private let revalidations = Revalidations()

    init(_ components: ImageManager.Components) {
        self.components = components
        restrictsAccess = components.loaders.contains { $0.restrictsAccess }
        failedURLs = FailedURLs(lifetime: components.failedURLLifetime)
    }

    /// The number of results that are being made.
    var runningCount: Int { results.count }

    /// Cancels all runs; their callers get an error of kind `cancelled`.
    func cancelAll() {
        revalidations.cancelAll()
        results.cancelAll()
        decodes.cancelAll()
        originals.cancelAll()
    }

    /// Returns when every result delivered so far is stored, and revalidated if it was delivered stale.
    func waitForStores() async {
        await revalidations.wait()
        await pendingStores.wait()
    }
}

// Results.
extension LoadPipeline {
    /// The result of `request` for one caller: at its scale, and stored before it is returned if the context wants that.
    ///
    /// Ten thousand callers may wait here for one picture, so what need not live in their frames is in other functions.
    func load(_ request: Request, observer: Results.Observer? = nil) async throws(ImageError) -> LoadResult {
        let observer = try await prepare(request, observer: observer)
        let result = try await result(of: request, observer: observer)
        if request.context.waitsForStore { await waitForStores(of: request) }
        return result.value(scaledBy: request.context.scale)
    }

    /// The result that `request` shares with its equals; or a stale one from memory, while the origin is out of reach.
    func result(
        of request: Request, observer: Results.Observer? = nil
    ) async throws(ImageError) -> SharedResult {
        do {
            do {
                let result = try await join(request, observer: observer)
                if mayShare(result, request) { return result }
                return try await join(request.alone, observer: observer)
            } catch let failure as RunFailure where failure.url != request.url {
                // A key filter has given two URLs one key: the failure of the other one says nothing about this.
                return try await join(request.alone, observer: observer)
            }
        } catch {
            return try staleResult(of: request, after: (error as? RunFailure)?.error ?? ImageError(error, in: .load))
        }
    }

    /// Asks the origin behind `request` in the background, after a stale picture was delivered. One such run a key.
    func revalidate(_ request: Request) {
        let request = request.revalidating
        revalidations.start(request.resultFlight) { [self] in _ = try await result(of: request) }
    }

    private func join(_ request: Request, observer: Results.Observer?) async throws -> SharedResult {
        let outcome = try await results.outcome(
            for: request.resultFlight, urgency: .constant(request.context.priority), observer: observer,
            work: work(of: request))
        return outcome.isLeader ? outcome.value : outcome.value.joined
    }

    /// Whether `request` may have the result of a run that another caller began.
    @inline(never)
    private func mayShare(_ result: SharedResult, _ request: Request) -> Bool {
        !result.isJoined || permits(result.version, for: request)
    }

    @inline(never)
    private func work(of request: Request) -> Results.Work {
        { [self] run in
            do {
                return SharedResult(try await LoadJob(request, pipeline: self, run: run).run())
            } catch {
                throw RunFailure(url: request.url, error: ImageError(error, in: .load))
            }
        }
    }

    /// Checks `request`, and reports the cached picture to the observer of a refresh. Returns the observer of the run.
    @inline(never)
    private func prepare(
        _ request: Request, observer: Results.Observer?
    ) async throws(ImageError) -> Results.Observer? {
        guard !request.url.absoluteString.isEmpty else {
            throw ImageError(.invalidURL, .request, "the URL is empty")
        }
        try checkAccess(of: request)
        guard let observer else { return nil }
        let listener = request.context.listener(observer)
        if request.context.cacheUse == .refresh {
            let request = request.cacheOnly
            let hit = caches(for: request).memoryHit()
            if let cached = if let hit { hit } else { try? await result(of: request).value() } {
                listener(.cached(cached))
            }
        }
        return listener
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

// Originals and decoded pictures, which results share.
extension LoadPipeline {
    /// The original behind `request`, fetched once however many results are made of it, and whether another run fetched it.
    func original(
        for request: Request, urgency: Urgency, observer: @escaping Originals.Observer
    ) async throws -> (original: Original, isShared: Bool) {
        do {
            let joined = try await join(request, urgency: urgency, observer: observer)
            if !joined.isShared || permits(joined.original.version, for: request) { return joined }
            return try await join(request.alone, urgency: urgency, observer: observer)
        } catch let failure as RunFailure where failure.url != request.url {
            return try await join(request.alone, urgency: urgency, observer: observer)
        }
    }

    /// The picture that `job` decodes, once for all results of the same version and size.
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
    ) async throws -> (original: Original, isShared: Bool) {
        do {
            let flight = request.originalFlight
            let outcome = try await originals.outcome(for: flight, urgency: urgency, observer: observer) {
                [self] run in
                do {
                    return try await OriginalJob(request, pipeline: self, run: run).run()
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

/// The reason why a run failed, and the URL that it tried: others may have the same key.
private struct RunFailure: Error {
    let url: URL
    let error: ImageError
}

extension ImageContext {
    /// The observer that passes the events of a run on to one caller: at its scale, and no more progress than it wants.
    @inline(never)
    fileprivate func listener(_ observer: @escaping LoadPipeline.Results.Observer) -> LoadPipeline.Results.Observer {
        let (scale, filter) = (scale, ProgressFilter(interval: progressInterval))
        return { event in
            switch event {
            case .preview(let image): observer(.preview(image.scaled(scale)))
            case .progress(let received, let expected):
                if filter.passes(received, of: expected) { observer(event) }
            default: observer(event)
            }
        }
    }
}
