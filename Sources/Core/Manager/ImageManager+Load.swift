#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageManager {
    typealias ResultFlight = SingleFlight<FlightKey, Delivery, LoadEvent>

    func load(
        _ url: URL, context: ImageContext, observer: ResultFlight.Observer?
    ) async throws(ImageError) -> LoadResult {
        guard components.observers.isEmpty else { return try await told(url, context, observer) }
        // By itself, so that nothing is copied into the frame of what may wait.
        if let hit = memoryHit(url, context) { return hit }
        return try await answer(to: Request(url, context, self), observer)
    }

    /// What one caller gets, which the observers hear of: from memory at once, or from the run that it shares with its equals.
    func observed(_ request: Request, _ observer: ResultFlight.Observer?) async throws(ImageError) -> LoadResult {
        guard components.observers.isEmpty else { return try await told(request, observer) }
        if let hit = memoryHit(request) { return hit }
        return try await answer(to: request, observer)
    }

    @inline(never)
    private func told(
        _ url: URL, _ context: ImageContext, _ observer: ResultFlight.Observer?
    ) async throws(ImageError) -> LoadResult {
        try await told(Request(url, context, self), observer)
    }

    private func told(_ request: Request, _ observer: ResultFlight.Observer?) async throws(ImageError) -> LoadResult {
        let start = ContinuousClock.now
        do throws(ImageError) {
            let hit = memoryHit(request)
            let result = if let hit { hit } else { try await answer(to: request, observer) }
            tellObservers(request, start, .success(result))
            return result
        } catch {
            tellObservers(request, start, .failure(error))
            throw error
        }
    }

    /// What a load of `url` would answer without suspending, if it would. Observers hear of it as of any load.
    func answerFromMemory(to url: URL, _ context: ImageContext) -> LoadResult? {
        if components.observers.isEmpty { return memoryHit(url, context) }
        let start = ContinuousClock.now
        let request = Request(url, context, self)
        guard let hit = memoryHit(request) else { return nil }
        tellObservers(request, start, .success(hit))
        return hit
    }

    @inline(never)
    private func tellObservers(
        _ request: Request, _ start: ContinuousClock.Instant, _ result: Result<LoadResult, ImageError>
    ) {
        guard !components.observers.isEmpty else { return }
        let record = LoadRecord(
            url: request.url, context: request.context, start: start, duration: .now - start, result: result)
        for observer in components.observers { observer.loadEnded(record) }
    }

    /// What one caller gets of the run that it shares with its equals.
    // What is not to lie in the frame of every caller that waits is not inlined.
    private func answer(to request: Request, _ observer: ResultFlight.Observer?) async throws(ImageError) -> LoadResult
    {
        guard !request.url.absoluteString.isEmpty else {
            throw ImageError(.invalidURL, .request, "the URL is empty")
        }
        try checkAccess(request)
        let observer = observer.map { request.context.listener($0) }
        if let observer, request.context.cacheUse == .refresh { await tellCached(request, observer) }
        let delivery = try await delivery(to: request, observer)
        if request.context.waitsForStore, let key = request.key { await pendingStores.wait(forSource: key.source) }
        return delivery.result(scaledBy: request.context.scale)
    }

    @inline(never)
    private func tellCached(_ request: Request, _ observer: ResultFlight.Observer) async {
        let request = request.fromCaches
        let hit = memoryHit(request)
        if let cached = if let hit { hit } else { try? await run(request, nil) } { observer(.cached(cached)) }
    }

    /// The result of the run that `request` shares with its equals; or what memory has, when the origin is out of reach.
    func run(_ request: Request, _ observer: ResultFlight.Observer?) async throws(ImageError) -> LoadResult {
        try await delivery(to: request, observer).result()
    }

    /// Likewise. What waits here is small, because ten thousand may wait for one picture.
    private func delivery(
        to request: Request, _ observer: ResultFlight.Observer?
    ) async throws(ImageError) -> Delivery {
        do {
            return try await shared(request, observer)
        } catch {
            return try staleDelivery(request, after: error)
        }
    }

    @inline(never)
    private func staleDelivery(_ request: Request, after error: any Error) throws(ImageError) -> Delivery {
        let error = (error as? RunFailure)?.error ?? ImageError(error, in: .load)
        guard let stale = staleImage(request, after: error) else { throw error }
        return Delivery(stale)
    }

    /// What the run gives that `request` shares with its equals.
    ///
    /// A filter may have given another URL the same key: its failure is not ours, and our own URL gets a try. So it does when
    /// what came may not be had by us.
    func shared(_ request: Request, _ observer: ResultFlight.Observer?) async throws -> Delivery {
        do {
            let delivery = try await shared(request, request.resultFlight, observer)
            if mayHave(delivery, request) { return delivery }
            return try await shared(request, request.ownFlight, observer)
        } catch {
            guard isOfAnotherURL(error, request) else { throw error }
            return try await shared(request, request.ownFlight, observer)
        }
    }

    @inline(never)
    private func shared(
        _ request: Request, _ flight: FlightKey, _ observer: ResultFlight.Observer?
    ) async throws -> Delivery {
        let own = Mark()
        let delivery = try await results.value(
            for: flight, urgency: .constant(request.context.priority), observer: observer,
            work: work(for: request, own))
        return delivery.heard(byOwner: own.isSet)
    }

    @inline(never)
    private func mayHave(_ delivery: Delivery, _ request: Request) -> Bool {
        !delivery.isShared || permits(delivery.version, request)
    }

    @inline(never)
    private func isOfAnotherURL(_ error: any Error, _ request: Request) -> Bool {
        (error as? RunFailure).map { $0.url != request.url } ?? false
    }

    @inline(never)
    private func work(for request: Request, _ own: Mark) -> ResultFlight.Work {
        { [self] run in
            own.set()
            do {
                return Delivery(try await make(request, run))
            } catch {
                throw RunFailure(url: request.url, error: ImageError(error, in: .load))
            }
        }
    }
}

/// The result of a run. A class, so that it takes little room in what waits for it.
final class Delivery: Sendable {
    /// Whether it was begun by somebody else.
    let isShared: Bool

    private let value: LoadResult

    /// What it was made of.
    var version: OriginalVersion? { value.image.metadata.original }

    init(_ value: LoadResult, isShared: Bool = false) {
        self.value = value
        self.isShared = isShared
    }

    /// The same, for whoever began the run, or for somebody who joined it.
    func heard(byOwner isOwner: Bool) -> Delivery { isOwner ? self : Delivery(value, isShared: true) }

    /// The result as one caller gets it.
    @inline(never)
    func result(scaledBy scale: Double? = nil) -> LoadResult {
        var result = value
        result.report.isShared = isShared
        result.image = result.image.scaled(scale)
        return result
    }
}

/// Why a run failed, and which of the URLs with its key it tried.
struct RunFailure: Error {
    let url: URL
    let error: ImageError
}

extension ImageContext {
    /// What hands a run's events to one caller: with the caller's scale, and no more progress than it wants.
    @inline(never)
    fileprivate func listener(
        _ observer: @escaping ImageManager.ResultFlight.Observer
    ) -> ImageManager.ResultFlight.Observer {
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
