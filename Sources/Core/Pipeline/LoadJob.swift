/// A run that makes a result for all callers that share it.
///
/// It owns the state of the run: the request of its leader, the report, previews, and memory reservations.
final class LoadJob {
    private let request: Request
    private let pipeline: LoadPipeline
    private let run: LoadPipeline.Results.Run
    private let caches: RequestCaches
    private let scope: WorkScope
    private let trace = LoadTrace()
    private let previewer: Previewer?
    private var reservations: [MemoryBudget.Reservation] = []
    /// The tickets taken before the stored result was read.
    private var tickets = StoreTickets.refused
    /// The store of the new result in the shared cache.
    private var sharedStore: SharedStore?
    /// Whether the image is a part of a truncated one, which only this request accepts.
    private var isPartial = false

    init(_ request: Request, pipeline: LoadPipeline, run: LoadPipeline.Results.Run) {
        self.request = request
        self.pipeline = pipeline
        self.run = run
        caches = pipeline.caches(for: request)
        scope = WorkScope(
            urgency: run.urgency, cancellation: run.cancellation,
            clock: WorkClock(limit: request.context.limits.workTime))
        previewer = request.context.deliversPreviews ? Previewer(request, pipeline: pipeline, run: run) : nil
    }

    /// Performs the load after a memory miss, step by step. Called once.
    func run() async throws -> LoadResult {
        var result = try await result()
        result.report = trace.value
        result.report.workTime = scope.clock.timeSpent
        result.report.limits += request.limits(on: result.image)
        return result
    }

    private func result() async throws -> LoadResult {
        var stored: DataEntry?
        if caches.readsResults { (tickets, stored) = await caches.lookUpResult(trace) }
        if let entry = stored, case let verdict = caches.verdict(on: entry.metadata.original), verdict.allowsUse {
            if let result = try await usableResult(entry, verdict: verdict) { return result }
            stored = nil
        }
        guard let sharing = caches.sharedResults, let key = request.key, request.isVariant else {
            return try await newResult(inPlaceOf: stored)
        }
        return try await sharing.result(at: key, trace) {
            try await sharedResult(in: sharing, at: key)
        } make: {
            .init(value: try await newResult(inPlaceOf: stored), store: sharedStore)
        }
    }

    /// Makes the result of the original, unless that confirms the `stored` one.
    private func newResult(inPlaceOf stored: DataEntry?) async throws -> LoadResult {
        let original: Original
        do {
            original = try await self.original(for: request)
        } catch let error as ImageError {
            await previewer?.end()
            guard let stored, let stale = try await staleResult(stored, after: error) else { throw error }
            return stale
        }
        if let result = try await unchangedResult(stored, of: original) { return result }
        return try await makeResult(of: original)
    }
}

// Existing results.
extension LoadJob {
    /// Returns the stored result, which is fresh or may be served stale; `nil` if it cannot be decoded.
    private func usableResult(_ stored: DataEntry, verdict: CacheDecision) async throws -> LoadResult? {
        trace.update { $0.decision = verdict }
        guard var result = try await decodeResult(stored) else { return nil }
        if case .staleWhileRevalidating = verdict { pipeline.revalidate(request) }
        result.isStale = verdict.isStale
        return result
    }

    /// Returns the result in the shared cache, if it may be used, and copies it into the caches of the manager.
    private func sharedResult(in sharing: RequestSharing, at key: CacheKey) async throws -> LoadResult? {
        guard let entry = await sharing.entry(for: key, trace) else { return nil }
        let verdict = caches.verdict(on: entry.metadata.original)
        guard verdict.allowsUse, let tickets = await caches.writer.admit(entry, after: tickets) else { return nil }
        let own = self.tickets
        self.tickets = tickets
        guard var result = try await usableResult(entry, verdict: verdict) else {
            self.tickets = own
            return nil
        }
        result.origin = .sharedCache
        await caches.writer.storeCopy(ofResult: entry, at: key, with: tickets)
        return result
    }

    /// Returns the stored result in place of `error`, which occurred on revalidation, if that is allowed.
    private func staleResult(_ stored: DataEntry, after error: ImageError) async throws -> LoadResult? {
        guard caches.allowsStale(stored.metadata.original, after: error), var result = try await decodeResult(stored)
        else { return nil }
        trace.update { $0.decision = .staleOnError(error.cause.kind) }
        result.isStale = true
        return result
    }

    /// Returns the result in memory or the `stored` one, if it was made from exactly this version of the original.
    private func unchangedResult(_ stored: DataEntry?, of original: Original) async throws -> LoadResult? {
        let stored = stored.flatMap { original.isOfSameVersion(as: $0) ? $0 : nil }
        if let image = caches.confirmedImage(of: original) {
            if let stored, let version = original.version { await caches.writer.renewResult(stored, to: version) }
            return LoadResult(
                url: request.url, image: image, key: request.key, origin: .memory, isStale: original.isStale)
        }
        guard let stored else { return nil }
        await previewer?.end()
        return try await decodeResult(stored, confirmedBy: original)
    }

    /// Decodes a stored result and stores the image in memory. One that cannot be decoded counts as a miss and is
    /// removed.
    private func decodeResult(
        _ stored: DataEntry, confirmedBy original: Original? = nil
    ) async throws -> LoadResult? {
        guard let decoded = try await decodedImage(of: stored), !request.leavesUntransformed(decoded) else {
            return nil
        }
        var image = decoded.restored(from: stored, for: request).scaled(request.key?.scaleInName)
        image.metadata.original = original?.version ?? stored.metadata.original
        if let version = original?.version { await caches.writer.renewResult(stored, to: version) }
        image.metadata.tickets = tickets
        caches.writer.storeInMemory(image, with: tickets)
        return LoadResult(
            url: request.url, image: image, key: request.key, origin: .disk, encodedData: stored.data,
            isStale: original?.isStale ?? false)
    }

    private func decodedImage(of stored: DataEntry) async throws -> Image? {
        do {
            // A stored result has a profile only if its request asked to keep it.
            let context = ImageContext {
                $0.keepsProfile = true
                $0.limits = request.context.limits
                $0.preloadsFrames = request.context.preloadsFrames
            }
            let job = DecodeJob(stored.data, coders: pipeline.components.coders, context: context, scope: scope)
            return hold(try await job.run(on: pipeline, trace: trace))
        } catch let error as ImageError where error.kind == .cancelled {
            throw error
        } catch {
            // A limit of this request says nothing about the bytes for other requests.
            if (error as? ImageError)?.kind != .overLimit { await caches.writer.removeResult() }
            return nil
        }
    }
}

// New results.
extension LoadJob {
    /// Returns the original, which all results of its source share.
    private func original(for request: Request, showsPreviews: Bool = true) async throws -> Original {
        // A second request to the origin server might return a different image.
        if let original = request.sharedDecode?.decoded?.original {
            record(original, isJoined: true)
            return original
        }
        if let error = request.sharedDecode?.failure.error(for: request) { throw error }
        let (run, previewer) = (run, showsPreviews ? previewer : nil)
        let filter = ProgressFilter(interval: request.context.progressInterval)
        do {
            let (original, isJoined) = try await pipeline.original(for: request, urgency: run.urgency) { transfer in
                run.emit(transfer.event)
                guard let previewer, let received = transfer.received else { return }
                if filter.passes(received.count, of: transfer.expectedByteCount) { previewer.bytesArrived(received) }
            }
            record(original, isJoined: isJoined)
            try pipeline.checkImage(of: original, for: request)
            return original
        } catch {
            request.sharedDecode?.failure.offer(error, for: request)
            throw error
        }
    }

    private func record(_ original: Original, isJoined: Bool) {
        trace.add(original.report)
        trace.update { $0.isTransferJoined = isJoined }
    }

    /// Decodes, transforms and stores the result that the request makes from `original`.
    private func makeResult(of original: Original) async throws -> LoadResult {
        let (decoded, original) = try await decode(original)
        let result = result(showing: try await transform(decoded), of: original)
        guard !isPartial else { return result }
        if request.leavesUntransformed(result.image) {
            caches.writer.storeUntransformed(result.image, of: original)
        } else {
            sharedStore = await trace.measure(.store) {
                await caches.writer(clock: scope.clock).store(result, decoded: decoded, of: original)
            }
        }
        return result
    }

    /// Decodes `original`. If its stored bytes are broken, the entry is removed and the image loaded again, once.
    private func decode(_ original: Original) async throws -> (Image, Original) {
        do {
            return (try await decoded(original, previewer: previewer), original)
        } catch let error as ImageError where error.isDataError {
            // The request's own coder says nothing about the bytes for other requests.
            if request.context.coder == nil { await caches.writer.removeOriginal() }
            guard original.isCached, request.context.cacheUse != .cacheOnly else {
                return (try await part(of: original, after: error), original)
            }
        }
        let loaded = try await self.original(for: request.loaderOnly, showsPreviews: false)
        do {
            return (try await decoded(loaded, previewer: nil), loaded)
        } catch let error as ImageError where error.isDataError {
            if request.context.coder == nil { await caches.writer.removeOriginal() }
            return (try await part(of: loaded, after: error), loaded)
        }
    }

    /// Returns the part of `original` that can be decoded, if it is truncated and the request accepts that. Otherwise
    /// throws `error`, which decoding all of it has thrown, and remembers it if a loader has delivered the bytes.
    private func part(of original: Original, after error: ImageError) async throws -> Image {
        if error.kind == .incomplete, request.context.acceptsIncomplete, case .data(let data) = original.body {
            var context = request.context.forSharedDecode
            context.acceptsIncomplete = true
            let job = DecodeJob(data, coders: pipeline.coders(for: request), context: context, scope: scope)
            do {
                let image = hold(try await job.run(on: pipeline, trace: trace))
                isPartial = true
                return image
            } catch let error as ImageError where error.isDataError {
                // There is not even a part.
            }
        }
        // Bytes in a cache say nothing about the URL, which is not asked for others.
        if !original.isCached { pipeline.remember(error, of: request) }
        throw error
    }

    /// Returns the image of `original` before any transformer. It is decoded once for all runs that need it at the same
    /// size.
    private func decoded(_ original: Original, previewer: Previewer?) async throws -> Image {
        if let image = try await existingImage(of: original, previewer: previewer) { return image }
        guard case .data(let data) = original.body else {
            throw ImageError(.internal, .decode, "there are no bytes to decode")
        }
        let context = request.context.forSharedDecode
        let job = DecodeJob(data, coders: pipeline.coders(for: request), context: context, scope: scope)
        let decoded = try await pipeline.decoded(job, flight: request.decodeFlight(of: original))
        trace.add(decoded.stages)
        scope.clock.add(timeSpent: decoded.workTime)
        request.sharedDecode?.offer(decoded.image, of: original, for: request)
        return hold(decoded)
    }

    /// Returns the image if its pixels exist already: from a loader, from the previews, or at another size.
    private func existingImage(of original: Original, previewer: Previewer?) async throws -> Image? {
        let shared = request.sharedDecode?.decoded
        if case .data = original.body, previewer == nil, shared == nil { return nil }
        let (context, scope) = (request.context, scope)
        let existing = try await trace.measure(.decode) {
            try await pipeline.work(scope) { () -> ReservedImage? in
                var existing = try previewer?.finish(original.received)
                scope.clock.add(timeSpent: existing?.workTime ?? .zero)
                let check = scope.monitor(.decode).check
                return try scope.clock.run {
                    if case .image(let image) = original.body {
                        existing = ReservedImage(image: try image.fitted(for: context, check))
                    } else if existing == nil, let shared {
                        existing = ReservedImage(image: try shared.image.shrunk(for: context, check))
                    }
                    if let image = existing?.image { existing?.image = try image.preloaded(for: context, check) }
                    return existing
                }
            }
        }
        return existing.map(hold)
    }

    private func transform(_ image: Image) async throws -> Image {
        let (context, scope) = (request.context, scope)
        guard !context.transformers.isEmpty, !request.leavesUntransformed(image) else { return image }
        return try await trace.measure(.transform) {
            try await pipeline.work(scope) {
                let work = TransformRequest(context: context, cancellation: scope.cancellation, clock: scope.clock)
                return try scope.clock.run { try image.transformed(by: context.transformers, work) }
            }
        }
    }

    private func result(showing image: Image, of original: Original) -> LoadResult {
        var image = image.scaled(request.key?.scaleInName)
        var metadata = image.metadata
        metadata.original = original.version
        metadata.tickets = original.tickets
        metadata.extendedData =
            request.context.extendedData ?? metadata.extendedData ?? original.entry?.metadata.extendedData
        image.metadata = metadata
        let isOriginal =
            !request.isVariant
            || request.leavesUntransformed(image) && request.untransformedAnimationKey == request.originalKey
        return LoadResult(
            url: request.url, image: image,
            key: request.key,
            origin: original.origin == .disk && request.isVariant ? .original : original.origin,
            encodedData: isOriginal ? original.entry?.data : nil,
            isStale: original.isStale)
    }

    /// Returns the image of `reserved`, and holds its memory reservation until the run is over.
    private func hold(_ reserved: ReservedImage) -> Image {
        if let reservation = reserved.reservation { reservations.append(reservation) }
        return reserved.image
    }
}

extension Original {
    /// Returns whether `entry`, a stored result, was made from this version and may remain stored.
    fileprivate func isOfSameVersion(as entry: DataEntry) -> Bool {
        !self.forbidsStore && self.version?.revision == entry.metadata.original?.revision
    }
}

extension Request {
    /// Returns a sentence for each limit that reduced the size of `image`.
    fileprivate func limits(on image: Image) -> [String] {
        guard let byteCount = context.scaleDownByteCount, image.size != image.info.size, !image.metadata.isTransformed
        else { return [] }
        return ["scaleDownByteCount is \(byteCount), so \(image.info.size) became \(image.size)"]
    }
}

extension ImageContext {
    /// The context without the scale and the use of truncated images, which are decided after a shared decode.
    var forSharedDecode: ImageContext {
        guard scale != nil || acceptsIncomplete else { return self }
        var context = self
        context.scale = nil
        context.acceptsIncomplete = false
        return context
    }
}
