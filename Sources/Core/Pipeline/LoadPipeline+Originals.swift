// Originals and decoded images, which results share.
extension LoadPipeline {
    /// Returns the original of `request`, which is fetched once for all results made from it, and whether another run
    /// fetched it.
    func original(
        for request: Request, urgency: Urgency, observer: @escaping Originals.Observer
    ) async throws(ImageError) -> (original: Original, isJoined: Bool) {
        var end = await end(of: request) { await join($0, urgency: urgency, observer: observer) }
        if case .failure(let error) = end.run.result, request.context.acceptsAnyData, error.refusesForLackOfCoder {
            // The run was that of a request that needs an image.
            end = await join(request.retryingFailed, urgency: urgency, observer: observer)
        }
        return (try end.run.result.get(), end.isJoined)
    }

    /// Returns the original of `request` for a caller that does not need its image now, after storing it if the context
    /// requests that.
    ///
    /// - Parameter requiresImage: Whether it fails if no coder accepts the bytes.
    func fetchOriginal(of request: Request, requiresImage: Bool) async throws(ImageError) -> Original {
        try validate(request)
        let original = try await original(for: request, urgency: request.context.urgency) { _ in }.original
        if requiresImage { try checkImage(of: original, for: request) }
        await waitForStores(of: request)
        return original
    }

    /// Returns the image of `job`, which is decoded once for all results of the same version and size.
    func decoded(_ job: DecodeJob, flight: FlightKey) async throws -> ReservedImage {
        try await decodes.value(for: flight, urgency: job.scope.urgency) { [self] run in
            let trace = LoadTrace()
            var decoded = try await job.joined(to: run).run(on: self, trace: trace)
            decoded.stages = trace.value.stages
            return decoded
        }
    }

    private func join(
        _ request: Request, urgency: Urgency, observer: @escaping Originals.Observer
    ) async -> CallEnd<Original> {
        do {
            let flight = request.originalFlight(in: circumstances(of: request))
            let outcome = try await originals.outcome(for: flight, urgency: urgency, observer: observer) {
                [self] run in
                await RunEnd(of: request.url) { (original: Original) in
                    original.version
                } work: {
                    try await withTierBudget { try await OriginalRun(request, pipeline: self, run: run).original() }
                }
            }
            return CallEnd(run: outcome.value, isJoined: !outcome.isLeader)
        } catch {
            return CallEnd(run: RunEnd(.failure(ImageError(error, in: .load)), of: request.url), isJoined: false)
        }
    }
}

extension ImageError {
    /// Whether the URL was not loaded because its bytes were no image that a coder accepts.
    fileprivate var refusesForLackOfCoder: Bool { kind == .refused && cause.kind == .noCoder }
}
