#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageManager {
    /// What the loader brings, or what is `kept`, when the origin says that it still holds.
    func transfer(
        _ request: Request, _ kept: DataEntry?, _ run: OriginalFlight.Run, _ trace: LoadTrace
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
        _ response: LoadResponse, _ times: TransferTimes, _ kept: DataEntry?, _ localVersion: String?,
        _ request: Request, _ run: OriginalFlight.Run
    ) async throws -> Original {
        // Noted before the body comes, which may take long.
        let receivedAt = times.receivedAt
        guard response.metadata?.status != 206 else {
            throw ImageError(
                .status, .load, "the origin answered 206 with a part of the picture, which is no use alone",
                response: response.metadata)
        }
        let (body, received) = try await response.collected(limits: request.context.limits, run.emit)
        var original = Original(
            body: body,
            origin: localVersion == nil ? .network : .local,
            version: localVersion.map { OriginalVersion(revision: $0, isLocal: true) }
                ?? version(UUID().uuidString, response.metadata, response, times, request),
            received: received, forbidsStore: forbidsStore(response.metadata, request))
        // What is no picture is not kept, and nothing goes for its sake.
        if case .data(let data) = body { _ = try coders(for: request).coder(for: data) }
        failedURLs.remove(request.url)
        original.decision = request.decisionAfterLoading(original, had: kept != nil)
        guard case .data(let data) = original.body else { return original }
        if original.forbidsStore {
            // Another status tells nothing about the picture that is kept.
            if response.metadata?.isWholePicture == true { await removeVariants(of: request) }
        } else if let kept, kept.data == data, let version = kept.metadata.original {
            original.version?.revision = version.revision  // the same bytes again: all variants still hold
            original.decision = .unchanged
        } else if kept != nil || request.context.cacheUse == .loaderOnly {
            await removeVariants(of: request)
        }
        var metadata = DataEntry.Metadata(storedAt: receivedAt)
        metadata.response = response.metadata?.storable
        metadata.original = original.version
        metadata.extendedData = kept?.metadata.extendedData
        original.entry = DataEntry(data, metadata: metadata)
        return original
    }

    /// What the cache has, after its origin said that it still holds.
    private func renewed(
        _ kept: DataEntry, _ response: LoadResponse, _ times: TransferTimes, _ request: Request
    ) async -> Original {
        var renewed = kept
        let metadata = kept.metadata.response?.updated(by: response.metadata)
        renewed.metadata.response = metadata
        renewed.metadata.original = version(
            kept.metadata.original?.revision ?? UUID().uuidString, metadata, response, times, request)
        var original = Original(renewed, .revalidated)
        original.forbidsStore = forbidsStore(metadata, request)
        if original.forbidsStore {
            await removeVariants(of: request)
        } else if let key = request.key?.original {
            await update(renewed.metadata, key, originalCache(for: request))
        }
        return original
    }

    /// What may be asked about, of what is kept.
    private func validators(of kept: DataEntry, _ request: Request) -> ResponseMetadata? {
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
            freshness: Freshness(of: metadata, sentAt: times.sentAt, receivedAt: times.receivedAt),
            varied: VariedFields(of: metadata, sent: response.requestFields ?? fieldsToSend(request)))
    }

    /// Whether a response with `metadata` must not be kept.
    private func forbidsStore(_ metadata: ResponseMetadata?, _ request: Request) -> Bool {
        guard let metadata else { return false }
        guard metadata.isWholePicture else { return true }
        if case .lifetime(_, keepsForbidden: true) = request.context.freshnessPolicy { return false }
        return CacheControl(of: metadata.headers).forbidsStore
    }
}

extension Request {
    /// The decision when a loader brought `original`; `had` tells whether there was an entry before.
    fileprivate func decisionAfterLoading(_ original: Original, had: Bool) -> CacheDecision {
        if context.cacheUse == .loaderOnly { return .bypassed(.loaderOnly) }
        if original.forbidsStore { return .notStored }
        guard had else { return .missing }
        return original.origin == .local ? .localChanged : .changed
    }
}
