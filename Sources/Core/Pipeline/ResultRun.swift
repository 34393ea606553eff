/// The run that makes a result for all callers that share it.
///
/// It owns the state of the run: the request of its leader, the report, previews, and memory reservations.
final class ResultRun: Step {
    let request: Request
    let pipeline: LoadPipeline
    let run: LoadPipeline.Results.Run
    let caches: RequestCaches
    let scope: WorkScope
    let trace = LoadTrace()
    let memory: TransferMemory
    let previewer: Previewer?
    /// Whether the image is a part of a truncated one, which only this request accepts.
    var isPartial = false
    private var reservations: [MemoryBudget.Reservation] = []

    init(_ request: Request, pipeline: LoadPipeline, run: LoadPipeline.Results.Run) async {
        self.request = request
        self.pipeline = pipeline
        self.run = run
        memory = pipeline.components.memoryBudget.makeTransferMemory(run.urgency)
        caches = await pipeline.caches(for: request)
        scope = WorkScope(
            urgency: run.urgency, cancellation: run.cancellation,
            clock: WorkClock(limit: request.context.limits.workTime))
        previewer = request.context.deliversPreviews ? Previewer(request, pipeline: pipeline, run: run) : nil
    }

    /// Makes the result after a memory miss. Called once.
    func result() async throws -> LoadResult {
        var result = try await product()
        result.reservations = reservations
        result.report = trace.value
        result.report.workTime = scope.clock.timeSpent
        result.report.limits += request.limits(on: result.image)
        return result
    }

    var artifact: Artifact? { caches.result }

    func open(_ found: Found) async throws -> LoadResult? {
        guard let result = try await decoded(found) else { return nil }
        trace.update { $0.decision = found.verdict }
        if case .staleWhileRevalidating = found.verdict { pipeline.revalidate(request) }
        return result
    }

    func input(_ lookup: Lookup) async throws -> Original {
        do {
            return try await original(for: request)
        } catch {
            // A stale result may need the memory.
            await previewer?.end()
            throw error
        }
    }

    func make(of original: Original, _ lookup: Lookup) async throws -> LeasedWork<LoadResult>.Product {
        if let result = try await confirmed(lookup.found, by: original) { return .init(value: result, store: nil) }
        let (decoded, original) = try await decode(original)
        let result = result(showing: try await transform(decoded), of: original)
        guard !isPartial else { return .init(value: result, store: nil) }
        let store = await trace.measure(.store) { caches.store(result, of: decoded, original, scope.clock) }
        return .init(value: result, store: store)
    }

    /// Returns the image of `reserved`, and holds its memory reservation until the run is over, and a file made of its result.
    func hold(_ reserved: ReservedImage) -> Image {
        hold(reserved.reservation)
        return reserved.image
    }

    /// Holds `reservation`, if there is one, for as long.
    func hold(_ reservation: MemoryBudget.Reservation?) {
        if let reservation { reservations.append(reservation) }
    }
}

// Stored results.
extension ResultRun {
    /// Returns the result in memory or the stored one, if it was made from exactly this version of the original.
    private func confirmed(_ found: Found?, by original: Original) async throws -> LoadResult? {
        let found = found.flatMap { original.isOfSameVersion(as: $0.entry) ? $0 : nil }
        if let image = caches.images.renewed(by: original) {
            if let found, let version = original.version { await artifact?.renew(found.entry, to: version) }
            return LoadResult(
                url: request.url, image: image, key: request.key, origin: .memory, isStale: original.isStale)
        }
        guard let found else { return nil }
        await previewer?.end()
        return try await decoded(found, confirmedBy: original)
    }

    /// Decodes a stored result, and stores the image in memory. One that cannot be decoded is removed.
    private func decoded(_ found: Found, confirmedBy original: Original? = nil) async throws -> LoadResult? {
        guard let stored = try await storedImage(found.entry) else { return nil }
        guard !request.leavesUntransformed(stored.image) else {
            // The run goes on, and a second reservation would wait for this one.
            stored.reservation?.release()
            return nil
        }
        var image = hold(stored).restored(from: found.entry, for: request).scaled(request.key?.scaleInName)
        image.metadata.original = original?.version ?? found.entry.metadata.original
        image.metadata.tickets = found.tickets
        if let version = original?.version { await artifact?.renew(found.entry, to: version) }
        caches.images.store(image, with: found.tickets)
        return LoadResult(
            url: request.url, image: image, key: request.key, origin: found.origin, encodedData: found.entry.data,
            isStale: original?.isStale ?? found.verdict.isStale)
    }

    private func storedImage(_ entry: DataEntry) async throws -> ReservedImage? {
        do {
            // A stored result has a profile only if its request asked to keep it.
            let context = ImageContext {
                $0.keepsProfile = true
                $0.limits = request.context.limits
                $0.preloadsFrames = request.context.preloadsFrames
            }
            let job = DecodeJob(entry.data, coders: pipeline.components.coders, context: context, scope: scope)
            return try await job.run(on: pipeline, trace: trace)
        } catch let error as ImageError where error.kind == .cancelled {
            throw error
        } catch {
            // A limit of this request says nothing about the bytes for other requests.
            if (error as? ImageError)?.kind != .overLimit { await caches.removeResult() }
            return nil
        }
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
