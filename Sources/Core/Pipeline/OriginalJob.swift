/// A run that fetches the original of one source, for all results made from it.
///
/// It looks in memory, then on disk, and then calls the loader, with the validators of a stored original that may be
/// stale.
final class OriginalJob {
    private let request: Request
    private let pipeline: LoadPipeline
    private let run: LoadPipeline.Originals.Run
    private let caches: RequestCaches
    private let trace = LoadTrace()

    init(_ request: Request, pipeline: LoadPipeline, run: LoadPipeline.Originals.Run) {
        self.request = request
        self.pipeline = pipeline
        self.run = run
        caches = pipeline.caches(for: request)
    }

    /// Fetches the original. Called once.
    func run() async throws -> Original {
        try await original(with: await caches.takeTickets()).reported(trace.value)
    }

    private func original(with tickets: StoreTickets) async throws -> Original {
        if let (image, verdict) = caches.usableOriginalImage() {
            return Original(image, decision: verdict).storing(
                with: caches.tickets(forResultsOf: image, taken: tickets))
        }
        let stored = await caches.storedOriginal(trace)
        if let stored {
            let verdict = caches.verdict(on: stored.metadata.original)
            if case .staleWhileRevalidating = verdict { pipeline.revalidate(request) }
            if verdict.allowsUse { return Original(stored, decision: verdict).storing(with: tickets) }
        }
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
                await caches.writer.updateOriginal(entry.metadata)
            }
            return original.storing(with: tickets)
        case .response(let response):
            var original = try await transfer.original(of: response, urgency: run.urgency, emit: run.emit)
            pipeline.failedURLs.remove(request.url)
            let start = transfer.generationStart(of: original, from: response)
            original = original.storing(with: await self.start(start, after: tickets))
            if case .data(let data) = original.body { progress.recordBody(byteCount: data.count) }
            if !transfer.isLocal { await trace.measure(.store) { await caches.writer.store(original) } }
            return original
        }
    }

    /// Starts a generation, if there is one, and returns the tickets for what belongs to it.
    private func start(_ generation: GenerationStart?, after tickets: StoreTickets) async -> StoreTickets {
        guard let generation else { return tickets }
        return await caches.writer.start(generation, after: tickets)
    }
}
