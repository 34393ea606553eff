import DarkroomPlatform

// Results, as callers receive them.
//
// Ten thousand callers may wait for one image. So the frames of what they wait in hold neither results nor errors, which
// are large, and what is not needed while waiting is in other functions.
extension LoadPipeline {
    /// Loads `request`, from memory if it is there, and notifies the observers of the manager.
    ///
    /// - Parameters:
    ///   - observer: Called with the events of the run.
    ///   - skipsMemory: Whether memory has been searched already.
    ///   - isForFile: Whether a file is made of the result, which then keeps its original and the reservation of its memory. The
    ///     first event of a refresh is not the cached image.
    // Not inlined, so that the frame of `ImageManager.load` is that of a hit.
    @inline(never)
    func load(
        _ request: Request, observer: Results.Observer? = nil, skipsMemory: Bool = false, isForFile: Bool = false
    ) async throws(ImageError) -> LoadResult {
        let start = isObserved ? ContinuousClock.now : nil
        let end: CallEnd<LoadResult>
        await request.readLocalVersionOnce(at: components.now())
        if let known = knownEnd(of: request, skipsMemory: skipsMemory) {
            end = known
        } else if observer == nil, !request.context.waitsForStore {
            end = await self.end(of: request)
        } else {
            end = await observedEnd(of: request, observer: observer, reportsCached: !isForFile)
        }
        return try finish(request, since: start, with: end, isForFile: isForFile)
    }

    /// Returns the result in memory that may be used without waiting. A stale one is revalidated in the background.
    func memoryHit(_ request: Request) -> LoadResult? {
        guard let (result, verdict) = ImageSlot(rules(for: request)).hit() else { return nil }
        if case .staleWhileRevalidating = verdict { revalidate(request) }
        return result
    }

    /// Revalidates `request` in the background after a stale image was delivered, in at most one run per key.
    func revalidate(_ request: Request) {
        let request = request.revalidating
        revalidations.start(for: request.resultFlight(in: circumstances(of: request))) { [self] in
            _ = await end(of: request)
        }
    }

    /// Checks that `request` has a URL and may be loaded.
    func validate(_ request: Request) throws(ImageError) {
        guard !request.url.absoluteString.isEmpty else {
            throw ImageError(.invalidURL, .request, "the URL is empty")
        }
        try rules(for: request).checkAccess()
    }

    /// Returns how a load of `request` ends that needs no run: with an image in memory, or because it is refused.
    private func knownEnd(of request: Request, skipsMemory: Bool) -> CallEnd<LoadResult>? {
        if !skipsMemory, let hit = memoryHit(request) {
            return CallEnd(run: RunEnd(.success(hit), of: request.url), isJoined: false)
        }
        do {
            try validate(request)
            return nil
        } catch {
            return CallEnd(run: RunEnd(.failure(error), of: request.url), isJoined: false)
        }
    }

    /// Returns how the load ends that equal requests share: with a stale image from memory if it fails and that is
    /// allowed.
    func end(of request: Request, observer: Results.Observer? = nil) async -> CallEnd<LoadResult> {
        staleEnd(of: request, insteadOf: await end(of: request) { await join($0, observer: observer) })
    }

    private func join(_ request: Request, observer: Results.Observer?) async -> CallEnd<LoadResult> {
        do {
            let outcome = try await results.outcome(
                for: request.resultFlight(in: circumstances(of: request)), urgency: request.context.urgency,
                observer: observer, work: work(of: request))
            return CallEnd(run: outcome.value, isJoined: !outcome.isLeader)
        } catch {
            return CallEnd(run: RunEnd(.failure(ImageError(error, in: .load)), of: request.url), isJoined: false)
        }
    }

    private func work(of request: Request) -> Results.Work {
        { [self] run in
            await RunEnd(of: request.url) { (result: LoadResult) in
                result.image.metadata.original
            } work: {
                try await withTierBudget { try await ResultRun(request, pipeline: self, run: run).result() }
            }
        }
    }

    private func staleEnd(of request: Request, insteadOf end: CallEnd<LoadResult>) -> CallEnd<LoadResult> {
        guard case .failure(let error) = end.run.result,
            let stale = ImageSlot(rules(for: request)).stale(after: error)
        else { return end }
        return CallEnd(run: RunEnd(.success(stale), of: request.url), isJoined: false)
    }

    /// Loads `request`, with events for `observer`: of a refresh, with `reportsCached`, first the cached image. Waits
    /// for stores if the context requests that.
    private func observedEnd(
        of request: Request, observer: Results.Observer?, reportsCached: Bool
    ) async -> CallEnd<LoadResult> {
        var (request, listener) = (request, observer.map { request.context.listener($0) })
        if let observer, let full = listener, reportsCached, request.context.cacheUse == .refresh,
            let cached = await cachedResult(of: request.cacheOnly)
        {
            full(.cached(cached))
            // A part of the new image must not replace the whole of the old one.
            request = request.withoutPreviews
            listener = request.context.listener(observer)
        }
        let end = await end(of: request, observer: listener)
        if case .success = end.run.result { await waitForStores(of: request) }
        return end
    }

    private func cachedResult(of request: Request) async -> LoadResult? {
        if let hit = memoryHit(request) { return hit }
        return try? await end(of: request).result(for: request).get()
    }

    /// Returns the result or throws the error for the caller, and notifies the observers.
    // Not inlined, so that the frame of a caller that waits fits into one slab of 1 KiB.
    @inline(never)
    private func finish(
        _ request: Request, since start: ContinuousClock.Instant?, with end: CallEnd<LoadResult>, isForFile: Bool
    ) throws(ImageError) -> LoadResult {
        let result = end.result(for: request, isForFile: isForFile)
        notifyObservers(of: request, since: start, result: isForFile ? end.result(for: request) : result)
        return try result.get()
    }

    func notifyObservers(
        of request: Request, since start: ContinuousClock.Instant?, result: Result<LoadResult, ImageError>
    ) {
        guard let start else { return }
        let record = LoadRecord(
            url: request.url, context: request.context, interval: start..<max(start, .now), result: result)
        for observer in components.observers { observer.loadEnded(record) }
    }
}

extension LoadPipeline {
    /// Returns how the run ends that `join` waits for, or that of a run of its own URL if the joined one says nothing
    /// about `request`.
    @inline(__always)
    func end<Value>(
        of request: Request, joining join: (Request) async -> CallEnd<Value>
    ) async -> CallEnd<Value> {
        let first = await join(request)
        if first.answers(rules(for: request)) { return first }
        return await join(request.scopedToURL)
    }
}

extension ImageContext {
    /// Returns an observer that forwards the events of a run to one caller, at its scale and progress interval.
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
