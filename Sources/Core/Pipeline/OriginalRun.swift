/// The run that fetches the original of one source for all results made from it.
final class OriginalRun: Step {
    /// The delivery of a loader.
    struct Input {
        let transfer: OriginalTransfer
        let original: Original
        /// The response; `nil` if it has confirmed the stored original.
        let response: LoadResponse?
    }

    let caches: RequestCaches
    let trace = LoadTrace()
    let memory: TransferMemory

    private let request: Request
    private let pipeline: LoadPipeline
    private let run: LoadPipeline.Originals.Run
    /// The state of the loader at the beginning.
    private let transferState: String

    init(_ request: Request, pipeline: LoadPipeline, run: LoadPipeline.Originals.Run) async {
        self.request = request
        self.pipeline = pipeline
        self.run = run
        transferState = request.transferState
        memory = pipeline.components.memoryBudget.makeTransferMemory(run.urgency)
        caches = await pipeline.caches(for: request)
    }

    /// Fetches the original. Called once.
    func original() async throws -> Original {
        let original = if let decoded = await caches.decodedOriginal() { decoded } else { try await product() }
        return original.reported(trace.value)
    }

    var artifact: Artifact? { caches.original }

    func open(_ found: Found) -> Original? {
        if case .staleWhileRevalidating = found.verdict { pipeline.revalidate(request) }
        return Original(found.entry, origin: found.origin, decision: found.verdict).storing(with: found.tickets)
            .holding(memory)
    }

    func input(_ lookup: Lookup) async throws -> Input {
        guard request.context.cacheUse != .cacheOnly else { throw ImageError.cacheOnlyMiss }
        do {
            return try await load(replacing: lookup.found?.entry)
        } catch {
            throw ImageError(error, in: .load)
        }
    }

    private func load(replacing stored: DataEntry?) async throws -> Input {
        let transfer = OriginalTransfer(
            caches.rules, pipeline: pipeline, loader: try pipeline.readyLoader(for: request), stored: stored,
            memory: memory)
        let progress = TransferTrace(trace) { [run] in run.emit(TransferEvent(event: $0)) }
        switch try await transfer.response(progress: progress) {
        case .notModified(let original): return Input(transfer: transfer, original: original, response: nil)
        case .response(let response):
            let original = try await transfer.original(of: response, emit: run.emit)
            if case .data(let data) = original.body { progress.recordBody(byteCount: data.count) }
            return Input(transfer: transfer, original: original, response: response)
        }
    }

    func make(of input: Input, _ lookup: Lookup) async throws -> LeasedWork<Original>.Product {
        guard let response = input.response else { return await confirmed(input, lookup) }
        // Data that is not an image is not stored, and replaces nothing.
        guard input.original.imageError == nil else { return .init(value: input.original, store: nil) }
        pipeline.forgetFailure(of: request)
        let start = input.transfer.generation(of: input.original, from: response)
        let original = input.original.storing(with: await self.start(start, after: lookup.tickets))
        guard !input.transfer.isLocal else { return .init(value: original, store: nil) }
        let store = await trace.measure(.store) { caches.store(original) }
        return .init(value: original, store: store)
    }

    func noteFailure(_ error: ImageError) {
        // With other credentials, for example, the next request may succeed.
        guard error.kind != .cacheOnlyMiss, request.transferState == transferState else { return }
        pipeline.remember(error, of: request)
    }

    /// Stores the original that the origin server has confirmed, in the shared cache as well: the other nodes would all
    /// ask the origin server again.
    private func confirmed(_ input: Input, _ lookup: Lookup) async -> LeasedWork<Original>.Product {
        let (original, tickets) = (input.original.storing(with: lookup.tickets), lookup.tickets)
        guard !original.forbidsStore else {
            _ = await start(input.transfer.removal(), after: tickets)
            return .init(value: original, store: nil)
        }
        guard let entry = original.entry, let artifact, var found = lookup.found else {
            return .init(value: original, store: nil)
        }
        if found.origin == .sharedCache {
            found.entry = entry
            artifact.storeCopy(of: found)
        } else {
            await artifact.slot.update(entry.metadata, at: artifact.key)
        }
        return .init(value: original, store: caches.storeConfirmed(entry, with: tickets))
    }

    /// Starts the generation of `response`, if there is one, and returns the tickets for what belongs to it.
    private func start(_ response: SourceResponse?, after tickets: StoreTickets) async -> StoreTickets {
        guard let response else { return tickets }
        if response.isReplacement, caches.reads.contains(.originals) { caches.shared?.replace(with: response) }
        return await caches.start(response, after: tickets)
    }
}
