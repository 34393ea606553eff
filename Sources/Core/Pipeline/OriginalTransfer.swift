#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One question to a loader, and the original that its answer makes.
struct OriginalTransfer {
    /// The outcome of asking the loader.
    enum Outcome {
        /// The stored original is still the right one; with its new freshness.
        case confirmed(Original)
        /// A picture is on its way.
        case received(LoadResponse)
    }

    private let request: Request
    private let pipeline: LoadPipeline
    private let loader: any ImageLoader
    private let stored: CachedEntry?
    private let localRevision: String?
    private let times: TransferTimes

    /// A question about `request`, whose original is `stored` if it was loaded before.
    init(_ request: Request, pipeline: LoadPipeline, loader: any ImageLoader, stored: CachedEntry?) {
        self.request = request
        self.pipeline = pipeline
        self.loader = loader
        self.stored = stored
        // Read before the bytes: a file that changes meanwhile is recognized by its version the next time.
        localRevision = loader.localVersion(of: request.url)
        times = TransferTimes(now: pipeline.components.now)
    }

    /// Whether the source is on this machine.
    var isLocal: Bool { localRevision != nil }

    /// Asks the loader, about the stored original if there is one.
    func response(urgency: Urgency, progress: TransferTrace) async throws -> Outcome {
        var question = LoadRequest(
            url: request.url, context: request.context, stored: stored.flatMap(validators), urgency: urgency)
        question.tell = { [times] in
            times.note($0)
            progress.heard($0)
        }
        var response = try await loader.load(question)
        if case .notModified = response.body, let stored, let validators = question.stored {
            if validators.isConfirmed(by: response.metadata) {
                progress.answered(response)
                return .confirmed(confirmed(stored, by: response))
            }
            // It confirms something else than what is stored, so the picture is asked for as a whole.
            question.stored = nil
            response = try await loader.load(question)
        }
        progress.answered(response)
        // Noted before the body comes, which may take long.
        _ = times.receivedAt
        return .received(response)
    }

    /// The original whose body `response` brings.
    ///
    /// Its bytes are counted in the memory budget as they arrive, and for as long as the original is referenced.
    func original(
        of response: LoadResponse, urgency: Urgency, emit: (TransferEvent) -> Void
    ) async throws -> Original {
        guard response.metadata?.status != 206 else {
            throw ImageError(
                .status, .load, "the origin answered 206 with a part of the picture, which is no use alone",
                response: response.metadata)
        }
        let memory = pipeline.components.memoryBudget.makeTransferMemory(urgency)
        let (body, received) = try await response.collected(
            limits: request.context.limits, memory: memory, emit)
        // What is no picture is not stored, and replaces nothing.
        if case .data(let data) = body { _ = try pipeline.coders(for: request).coder(for: data) }
        return original(of: response, body: body, received: received).holding(memory)
    }

    /// Whether the caches must forget what they have of the source, now that `original` came with `response`.
    func isReplaced(by original: Original, _ response: LoadResponse) -> Bool {
        guard case .data = original.body else { return false }
        // Another status says nothing about the stored picture.
        if original.forbidsStore { return response.metadata?.isWholePicture == true }
        return original.decision != .unchanged && (stored != nil || request.context.cacheUse == .loaderOnly)
    }

    private func original(of response: LoadResponse, body: Original.Body, received: ReceivedBytes?) -> Original {
        let forbidsStore = forbidsStore(response.metadata, of: response)
        var version =
            localRevision.map { OriginalVersion(revision: $0, isLocal: true) }
            ?? version(UUID().uuidString, by: response.metadata, of: response)
        var decision = decision(forbidsStore: forbidsStore)
        var entry: CachedEntry?
        if case .data(let data) = body {
            if !forbidsStore, let stored, stored.data == data, let known = stored.metadata.original {
                version.revision = known.revision  // the same bytes again: all variants still hold
                decision = .unchanged
            }
            var metadata = DataEntry.Metadata(storedAt: times.receivedAt)
            metadata.response = response.metadata?.storable
            metadata.original = version
            metadata.extendedData = stored?.metadata.extendedData
            entry = CachedEntry(DataEntry(data, metadata: metadata))
        }
        return Original(
            body: body, origin: isLocal ? .local : .network, version: version, entry: entry, received: received,
            forbidsStore: forbidsStore, decision: decision)
    }

    /// The stored original with its new freshness, after its origin has confirmed it.
    private func confirmed(_ stored: CachedEntry, by response: LoadResponse) -> Original {
        var confirmed = stored.entry
        let metadata = stored.metadata.response?.updated(by: response.metadata)
        confirmed.metadata.response = metadata
        confirmed.metadata.original = version(
            stored.metadata.original?.revision ?? UUID().uuidString, by: metadata, of: response)
        // The bytes are those that came before, whoever confirms them now.
        confirmed.metadata.original?.reach = stored.metadata.original?.reach
        return Original(
            CachedEntry(confirmed), .revalidated, forbidsStore: forbidsStore(metadata, of: response))
    }

    /// The validators of `stored` that the loader may ask about.
    private func validators(of stored: CachedEntry) -> ResponseMetadata? {
        let isForOthers = pipeline.caches(for: request).verdict(on: stored.metadata.original) == .varies
        return isForOthers ? stored.metadata.response?.forOtherFields : stored.metadata.response
    }

    /// The version named `revision`, as `metadata` describes it, which `response` has just brought or confirmed.
    private func version(
        _ revision: String, by metadata: ResponseMetadata?, of response: LoadResponse
    ) -> OriginalVersion {
        let fields = response.requestFields ?? pipeline.caches(for: request).requestFields
        return OriginalVersion(
            revision: revision,
            freshness: Freshness(
                of: metadata, after: response.redirects, sentAt: times.sentAt, receivedAt: times.receivedAt),
            varied: VariedFields(of: metadata, after: response.redirects, sent: fields),
            reach: response.reach)
    }

    /// Whether the picture that `metadata` describes must not be stored.
    private func forbidsStore(_ metadata: ResponseMetadata?, of response: LoadResponse) -> Bool {
        guard let metadata else { return false }
        guard metadata.isWholePicture else { return true }
        if case .lifetime(_, keepsForbidden: true) = request.context.freshnessPolicy { return false }
        return ([metadata] + response.redirects).contains { CacheControl(of: $0.headers).forbidsStore }
    }

    private func decision(forbidsStore: Bool) -> CacheDecision {
        if request.context.cacheUse == .loaderOnly { return .bypassed(.loaderOnly) }
        if forbidsStore { return .notStored }
        guard stored != nil else { return .missing }
        return isLocal ? .localChanged : .changed
    }
}
