/// A run that fetches the original of one source, for all results made from it.
///
/// It looks in memory, on disk and in the shared cache, and then calls the loader, with the validators of a stored
/// original that may be stale.
final class OriginalJob {
    private let request: Request
    private let pipeline: LoadPipeline
    private let run: LoadPipeline.Originals.Run
    private let caches: RequestCaches
    private let trace = LoadTrace()
    /// Whether the origin server is asked to confirm an original that only the shared cache has.
    private var revalidatesShared = false
    /// The store of the loaded original in the shared cache.
    private var sharedStore: SharedStore?

    init(_ request: Request, pipeline: LoadPipeline, run: LoadPipeline.Originals.Run) {
        self.request = request
        self.pipeline = pipeline
        self.run = run
        caches = pipeline.caches(for: request)
    }

    /// Fetches the original. Called once.
    func run() async throws -> Original {
        try await original().reported(trace.value)
    }

    private func original() async throws -> Original {
        if let original = await caches.decodedOriginal() { return original }
        let (tickets, stored) = await caches.lookUpOriginal(trace)
        if let stored {
            let verdict = caches.verdict(on: stored.metadata.original)
            if case .staleWhileRevalidating = verdict { pipeline.revalidate(request) }
            if verdict.allowsUse { return Original(stored, decision: verdict).storing(with: tickets) }
        }
        guard let sharing = caches.sharedOriginals, let key = request.originalKey else {
            return try await loadedOriginal(replacing: stored, with: tickets)
        }
        let shared = await sharedOriginal(in: sharing, with: tickets)
        if let shared, shared.decision.allowsUse { return shared }
        return try await sharing.leased(.original, at: key, trace) {
            let shared = await sharedOriginal(in: sharing, with: tickets)
            return shared?.decision.allowsUse == true ? shared : nil
        } make: {
            revalidatesShared = stored == nil && shared != nil
            let original = try await loadedOriginal(replacing: stored ?? shared?.entry, with: tickets)
            return .init(value: original, store: sharedStore)
        }
    }

    /// Returns the original in the shared cache, whatever the verdict on it. One that may be used is copied into the
    /// caches of the manager.
    private func sharedOriginal(in sharing: RequestSharing, with tickets: StoreTickets) async -> Original? {
        guard let key = request.originalKey, let entry = await sharing.original(at: key, trace) else { return nil }
        let verdict = caches.verdict(on: entry.metadata.original)
        let original = Original(entry, origin: .sharedCache, decision: verdict)
        guard verdict.allowsUse else { return original }
        guard let tickets = await caches.writer.admit(entry, after: tickets) else { return nil }
        if case .staleWhileRevalidating = verdict { pipeline.revalidate(request) }
        await caches.writer.storeCopy(ofOriginal: entry, with: tickets)
        return original.storing(with: tickets)
    }

    /// Returns the original from the loader, or `stored` if that is confirmed or may replace a failure.
    private func loadedOriginal(replacing stored: DataEntry?, with tickets: StoreTickets) async throws -> Original {
        guard request.context.cacheUse != .cacheOnly else { throw ImageError.cacheOnlyMiss }
        do {
            return try await load(replacing: stored, with: tickets)
        } catch {
            let error = ImageError(error, in: .load)
            // When the origin server cannot be reached, images loaded before are still shown.
            if let stored, caches.allowsStale(stored.metadata.original, after: error) {
                return Original(stored, decision: .staleOnError(error.cause.kind)).storing(with: tickets)
            }
            pipeline.remember(error, of: request)
            throw error
        }
    }

    /// Returns the original from the loader, or `stored` if the origin server confirms it.
    private func load(replacing stored: DataEntry?, with tickets: StoreTickets) async throws -> Original {
        let loader = try pipeline.readyLoader(for: request)
        let transfer = OriginalTransfer(request, pipeline: pipeline, loader: loader, stored: stored)
        let progress = TransferTrace(trace) { [run] in run.emit(TransferEvent(event: $0)) }
        switch try await transfer.response(urgency: run.urgency, progress: progress) {
        case .notModified(let original):
            if original.forbidsStore {
                _ = await start(transfer.generationStartOfUnstorable(), after: tickets)
            } else if let entry = original.entry {
                if revalidatesShared {
                    await caches.writer.storeCopy(ofOriginal: entry, with: tickets)
                } else {
                    await caches.writer.updateOriginal(entry.metadata)
                }
                // The other nodes would all ask the origin server again.
                sharedStore = await caches.writer.storeConfirmed(entry, with: tickets)
            }
            return original.storing(with: tickets)
        case .response(let response):
            var original = try await transfer.original(of: response, urgency: run.urgency, emit: run.emit)
            if case .data(let data) = original.body { progress.recordBody(byteCount: data.count) }
            // Data that is not an image is not stored, and replaces nothing.
            guard original.imageError == nil else { return original }
            pipeline.forgetFailure(of: request)
            let start = transfer.generationStart(of: original, from: response)
            original = original.storing(with: await self.start(start, after: tickets))
            if !transfer.isLocal { sharedStore = await trace.measure(.store) { await caches.writer.store(original) } }
            return original
        }
    }

    /// Starts a generation, if there is one, and returns the tickets for what belongs to it.
    private func start(_ generation: GenerationStart?, after tickets: StoreTickets) async -> StoreTickets {
        guard let generation else { return tickets }
        if generation.isReplaced { caches.sharedOriginals?.replace(with: generation.response) }
        return await caches.writer.start(generation, after: tickets)
    }
}
