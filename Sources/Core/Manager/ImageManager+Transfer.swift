#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageManager {
    /// What the loader brings, or what is `kept`, when the origin says that it still holds.
    func transfer(
        _ request: Request, _ kept: KeptEntry?, _ run: OriginalFlight.Run, _ trace: LoadTrace
    ) async throws -> Original {
        let loader = try readyLoader(for: request)
        do {
            let transfer = TransferTrace(trace) { run.emit(TransferEvent(event: $0)) }
            // Read before the bytes: a file that changes meanwhile is told by its version the next time.
            let localVersion = loader.localVersion(of: request.url)
            let times = TransferTimes(now: components.now)
            var question = LoadRequest(
                url: request.url, context: request.context, stored: kept.flatMap { validators(of: $0, request) },
                urgency: run.urgency)
            question.tell = {
                times.note($0)
                transfer.heard($0)
            }
            var response = try await loader.load(question)
            if case .notModified = response.body, let kept, let stored = question.stored {
                if stored.isConfirmed(by: response.metadata) {
                    transfer.answered(response)
                    return await renewed(kept, response, times, request)
                }
                // It confirms something else than what is kept, so the picture is asked for as a whole.
                question.stored = nil
                response = try await loader.load(question)
            }
            transfer.answered(response)
            let original = try await received(response, times, kept, localVersion, request, run)
            if case .data(let data) = original.body { transfer.received(data.count) }
            if localVersion == nil { await trace.measure(.store) { await keepOriginal(original, request) } }
            return original
        } catch {
            throw ImageError(error, in: .load)
        }
    }

    /// Takes in what a loader brought.
    private func received(
        _ response: LoadResponse, _ times: TransferTimes, _ kept: KeptEntry?, _ localVersion: String?,
        _ request: Request, _ run: OriginalFlight.Run
    ) async throws -> Original {
        // Noted before the body comes, which may take long.
        _ = times.receivedAt
        guard response.metadata?.status != 206 else {
            throw ImageError(
                .status, .load, "the origin answered 206 with a part of the picture, which is no use alone",
                response: response.metadata)
        }
        let memory = components.memoryBudget.makeTransferMemory(run.urgency)
        let (body, received) = try await response.collected(
            limits: request.context.limits, memory: memory, run.emit)
        // What is no picture is not kept, and nothing goes for its sake.
        if case .data(let data) = body { _ = try coders(for: request).coder(for: data) }
        failedURLs.remove(request.url)
        let original = original(body, received, response, times, kept, localVersion, request).holding(memory)
        if original.replacesOthers(kept, response, request) { await removeVariants(of: request) }
        return original
    }

    /// The original of a body that came. What is not to lie in the frame of every transfer is not inlined.
    @inline(never)
    private func original(
        _ body: Original.Body, _ received: ReceivedBytes?, _ response: LoadResponse, _ times: TransferTimes,
        _ kept: KeptEntry?, _ localVersion: String?, _ request: Request
    ) -> Original {
        let forbidsStore = forbidsStore(response.metadata, response, request)
        var version =
            localVersion.map { OriginalVersion(revision: $0, isLocal: true) }
            ?? version(UUID().uuidString, response.metadata, response, times, request)
        var decision = request.decisionAfterLoading(
            isLocal: localVersion != nil, forbidsStore: forbidsStore, had: kept != nil)
        var entry: KeptEntry?
        if case .data(let data) = body {
            if !forbidsStore, let kept, kept.data == data, let known = kept.metadata.original {
                version.revision = known.revision  // the same bytes again: all variants still hold
                decision = .unchanged
            }
            var metadata = DataEntry.Metadata(storedAt: times.receivedAt)
            metadata.response = response.metadata?.storable
            metadata.original = version
            metadata.extendedData = kept?.metadata.extendedData
            entry = KeptEntry(DataEntry(data, metadata: metadata))
        }
        return Original(
            body: body, origin: localVersion == nil ? .network : .local, version: version, entry: entry,
            received: received, forbidsStore: forbidsStore, decision: decision)
    }

    /// What the cache has, after its origin said that it still holds.
    private func renewed(
        _ kept: KeptEntry, _ response: LoadResponse, _ times: TransferTimes, _ request: Request
    ) async -> Original {
        var renewed = kept.entry
        let metadata = kept.metadata.response?.updated(by: response.metadata)
        renewed.metadata.response = metadata
        renewed.metadata.original = version(
            kept.metadata.original?.revision ?? UUID().uuidString, metadata, response, times, request)
        // The bytes are those that came before, whoever says now that they hold.
        renewed.metadata.original?.reach = kept.metadata.original?.reach
        let original = Original(
            KeptEntry(renewed), .revalidated, forbidsStore: forbidsStore(metadata, response, request))
        if original.forbidsStore {
            await removeVariants(of: request)
        } else if let key = request.key?.original {
            await update(renewed.metadata, key, originalCache(for: request))
        }
        return original
    }

    /// What may be asked about, of what is kept.
    private func validators(of kept: KeptEntry, _ request: Request) -> ResponseMetadata? {
        let isForOthers = decision(on: kept.metadata.original, request) == .varies
        return isForOthers ? kept.metadata.response?.forOtherFields : kept.metadata.response
    }

    /// The version named `revision`, of which `response` just told; its origin's word about it is `metadata`.
    private func version(
        _ revision: String, _ metadata: ResponseMetadata?, _ response: LoadResponse, _ times: TransferTimes,
        _ request: Request
    ) -> OriginalVersion {
        OriginalVersion(
            revision: revision,
            freshness: Freshness(
                of: metadata, after: response.redirects, sentAt: times.sentAt, receivedAt: times.receivedAt),
            varied: VariedFields(
                of: metadata, after: response.redirects, sent: response.requestFields ?? fieldsToSend(request)),
            reach: response.reach)
    }

    /// Whether what `response` told of must not be kept; its origin's word about it is `metadata`.
    private func forbidsStore(_ metadata: ResponseMetadata?, _ response: LoadResponse, _ request: Request) -> Bool {
        guard let metadata else { return false }
        guard metadata.isWholePicture else { return true }
        if case .lifetime(_, keepsForbidden: true) = request.context.freshnessPolicy { return false }
        return ([metadata] + response.redirects).contains { CacheControl(of: $0.headers).forbidsStore }
    }
}

extension Request {
    /// The decision when a loader brought an original; `had` tells whether there was an entry before.
    fileprivate func decisionAfterLoading(isLocal: Bool, forbidsStore: Bool, had: Bool) -> CacheDecision {
        if context.cacheUse == .loaderOnly { return .bypassed(.loaderOnly) }
        if forbidsStore { return .notStored }
        guard had else { return .missing }
        return isLocal ? .localChanged : .changed
    }
}

extension Original {
    /// Whether what the caches have of it must go, now that it came in place of `kept`.
    fileprivate func replacesOthers(_ kept: KeptEntry?, _ response: LoadResponse, _ request: Request) -> Bool {
        guard case .data = body else { return false }
        // Another status tells nothing about the picture that is kept.
        if forbidsStore { return response.metadata?.isWholePicture == true }
        return decision != .unchanged && (kept != nil || request.context.cacheUse == .loaderOnly)
    }
}
