#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageManager {
    typealias OriginalFlight = SingleFlight<FlightKey, Original, TransferEvent>

    /// The original behind `request`, fetched once however many variants of it are wanted.
    func original(
        for request: Request, _ run: ResultFlight.Run, _ trace: LoadTrace, previewer: Previewer? = nil
    ) async throws -> Original {
        // Asked again, the origin may have another picture, or want to be asked for nothing.
        if let original = request.sharedDecode?.made?.original {
            trace.add(original.report)
            trace.note { $0.isTransferShared = true }
            return original
        }
        let filter = ProgressFilter(interval: request.context.progressInterval)
        let observer: OriginalFlight.Observer = { transfer in
            run.emit(transfer.event)
            guard let previewer, let received = transfer.received else { return }
            if filter.passes(received.count, of: transfer.expectedByteCount) { previewer.bytesArrived(received) }
        }
        do {
            let original = try await shared(request, request.originalFlight, run, trace, observer)
            if !trace.value.isTransferShared || permits(original.version, request) { return original }
            return try await shared(request, request.ownOriginalFlight, run, trace, observer)
        } catch let failure as RunFailure where failure.url != request.url {
            return try await shared(request, request.ownOriginalFlight, run, trace, observer)
        }
    }

    /// What the run gives that `request` shares with those that want the same original. It throws a `RunFailure` when that
    /// was of another URL with the same key, for our own may do better.
    private func shared(
        _ request: Request, _ flight: FlightKey, _ run: ResultFlight.Run, _ trace: LoadTrace,
        _ observer: @escaping OriginalFlight.Observer
    ) async throws -> Original {
        let own = Mark()
        do {
            let original = try await originals.value(for: flight, urgency: run.urgency, observer: observer) {
                [self] run in
                own.set()
                let trace = LoadTrace()
                do {
                    return try await fetch(request, run, trace).reported(trace.value)
                } catch {
                    throw RunFailure(url: request.url, error: ImageError(error, in: .load))
                }
            }
            trace.add(original.report)
            trace.note { $0.isTransferShared = !own.isSet }
            return original
        } catch let failure as RunFailure where failure.url == request.url {
            throw failure.error
        }
    }

    /// Remembers that `request` failed, if its context or loader thinks that worth it.
    func remember(_ error: ImageError, of request: Request) {
        let loader = loader(for: request)
        if request.context.remembers(error, of: request.url, by: loader) { failedURLs.insert(request.url, error) }
    }

    /// The loader for `request`, unless it cannot or may not be asked now.
    func readyLoader(for request: Request) throws(ImageError) -> any ImageLoader {
        guard let loader = loader(for: request) else {
            let scheme = request.url.scheme.map { "\($0) URLs" } ?? "a URL without scheme"
            throw ImageError(.noLoader, .load, "no loader for \(scheme) is installed")
        }
        if !request.context.retryFailed, let failure = failedURLs.failure(of: request.url) {
            throw ImageError(
                .refused, .load,
                "it failed a moment ago: \(failure.message); try it again with context.retryFailed", underlying: failure
            )
        }
        return loader.applying(request.context)
    }

    /// Memory, disk, then the loader; and the loader with what the disk has, when that may be out of date.
    private func fetch(
        _ request: Request, _ run: OriginalFlight.Run, _ trace: LoadTrace
    ) async throws -> Original {
        if let (image, decision) = originalInMemory(request) {
            return Original(
                body: .image(image), origin: .memory, version: image.metadata.original, decision: decision)
        }
        let kept = await keptOriginal(request, trace)
        if let kept {
            let decision = decision(on: kept.metadata.original, request)
            if case .staleWhileRevalidating = decision { revalidate(request) }
            if decision.allowsUse { return Original(kept, decision) }
        }
        guard request.context.cacheUse != .cacheOnly else { throw ImageError.cacheOnlyMiss }
        do {
            return try await transfer(request, kept, run, trace)
        } catch let error as ImageError {
            // Pictures once seen show offline.
            if let kept, allowsStale(kept.metadata.original, after: error, request) {
                return Original(kept, .staleOnError(error.cause.kind))
            }
            remember(error, of: request)
            throw error
        }
    }
}
