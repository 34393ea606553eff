// Encoded results, as callers receive them.
extension LoadPipeline {
    /// Returns the encoded result of `request`, which equal requests share.
    func file(
        of request: EncodedRequest, observer: Files.Observer? = nil
    ) async throws(ImageError) -> EncodedResult {
        try validate(request.image)
        do {
            let outcome = try await files.outcome(
                for: request.flight(in: circumstances(of: request.image)), urgency: request.context.urgency,
                observer: observer
            ) { [self] run in
                await RunEnd(of: request.image.url) {
                    try await withTierBudget { try await FileRun(request, pipeline: self, run: run).file() }
                }
            }
            var file = try outcome.value.result.get()
            file.report.isJoined = !outcome.isLeader
            await waitForStores(of: request.image)
            return file
        } catch {
            throw ImageError(error, in: .encode)
        }
    }

    /// Returns the file of `request` in memory that may be used without waiting. A stale one is revalidated in the
    /// background.
    ///
    /// - Parameter hasReadVersion: Whether the version of a local source was just read.
    func fileInMemory(_ request: EncodedRequest, hasReadVersion: Bool = false) -> EncodedResult? {
        guard request.image.failure == nil, request.image.readsEncodedResults, let key = request.key else { return nil }
        let rules = rules(for: request.image)
        guard let entry = rules.resultCache?.entryInMemory(for: key), rules.permits(entry.original) else { return nil }
        let isLocal = entry.original?.isLocal == true
        guard !isLocal || hasReadVersion || request.image.knowsLocalVersion(at: rules.now) else { return nil }
        let verdict = rules.verdict(on: entry.original)
        guard verdict.allowsUse,
            var result = EncodedResult(entry, for: request, isStale: verdict.isStale, at: rules.now)
        else { return nil }
        result.origin = .memory
        result.report.decision = verdict
        if case .staleWhileRevalidating = verdict { revalidate(request) }
        return result
    }

    /// Revalidates `request` in the background after a stale file was delivered, in at most one run per key.
    func revalidate(_ request: EncodedRequest) {
        let request = request.revalidating
        revalidations.start(for: request.flight(in: circumstances(of: request.image))) { [self] in
            _ = try await file(of: request)
        }
    }
}
