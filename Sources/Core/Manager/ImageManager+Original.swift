#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What variants are made of: the picture as its origin has it.
struct Original: Sendable {
    enum Body: Sendable {
        case data(Data)
        case image(Image)
    }

    var body: Body
    var origin: LoadResult.Origin
    var version: OriginalVersion?
    /// The bytes as the disk cache keeps them; `nil` for a ready image.
    var entry: DataEntry?
    /// Where the bytes came in pieces, if they did just now.
    var received: ReceivedBytes?
    var isStale = false
    /// How it came here.
    var report = LoadReport(decision: .missing)
    /// Whether its origin forbids keeping it, or anything made of it.
    var forbidsStore = false
}

extension ImageManager {
    typealias OriginalFlight = SingleFlight<FlightKey, Original, TransferEvent>

    /// The original behind `request`, fetched once however many variants of it are wanted.
    func original(
        for request: Request, _ run: ResultFlight.Run, _ trace: LoadTrace, previewer: Previewer? = nil
    ) async throws -> Original {
        let filter = ProgressFilter(interval: request.context.progressInterval)
        let observer: OriginalFlight.Observer = { transfer in
            run.emit(transfer.event)
            guard let previewer, let received = transfer.received else { return }
            if filter.passes(received.count, of: transfer.expectedByteCount) { previewer.bytesArrived(received) }
        }
        let original = try await originals.value(
            for: request.originalFlight, urgency: run.urgency, observer: observer
        ) { [self] run in
            let trace = LoadTrace()
            var original = try await fetch(request, run, trace)
            let decision = original.report.decision
            original.report = trace.value
            original.report.decision = decision
            return original
        }
        trace.add(original.report)
        return original
    }

    /// Remembers that `request` failed, if its context or loader thinks that worth it.
    func remember(_ error: ImageError, of request: Request) {
        let loader = loader(for: request)
        if request.context.remembers(error, of: request.url, by: loader) { failedURLs.insert(request.url, error) }
    }

    /// Disk, then the loader; and the loader with what the disk has, when that may be out of date.
    private func fetch(
        _ request: Request, _ run: OriginalFlight.Run, _ trace: LoadTrace
    ) async throws -> Original {
        if let image = originalInMemory(request) {
            return Original(
                body: .image(image), origin: .memory, version: image.metadata.original,
                report: LoadReport(decision: decision(of: image.metadata.original, request)))
        }
        let kept = await keptOriginal(request, trace)
        if let kept, request.context.cacheUse != .refresh, isCurrent(kept.metadata.original, request) {
            return Original(kept, decision(of: kept.metadata.original, request))
        }
        guard request.context.cacheUse != .cacheOnly else {
            throw ImageError.cacheOnlyMiss
        }
        do {
            return try await transfer(request, kept, run, trace)
        } catch let error as ImageError {
            // Pictures once seen show offline.
            if let kept, error.allowsStale(kept.metadata.original) {
                return Original(kept, .staleOnError(error.kind), isStale: true)
            }
            remember(error, of: request)
            throw error
        }
    }

    private func transfer(
        _ request: Request, _ kept: DataEntry?, _ run: OriginalFlight.Run, _ trace: LoadTrace
    ) async throws -> Original {
        let loader = try readyLoader(for: request)
        do {
            let transfer = TransferTrace(trace) { run.emit(TransferEvent(event: $0)) }
            // Read before the bytes: a file that changes meanwhile is told by its version the next time.
            let localVersion = loader.localVersion(of: request.url)
            var loadRequest = LoadRequest(
                url: request.url, context: request.context, stored: kept?.metadata.response, urgency: run.urgency)
            loadRequest.tell = transfer.heard
            let response = try await loader.load(loadRequest)
            transfer.answered(response)
            if case .notModified = response.body, let kept { return await renewed(kept, response, request) }
            return try await receive(response, kept, localVersion, request, run, transfer, trace)
        } catch {
            throw ImageError(error, in: .load)
        }
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

    /// Takes in what a loader brought, and keeps it.
    private func receive(
        _ response: LoadResponse, _ kept: DataEntry?, _ localVersion: String?, _ request: Request,
        _ run: OriginalFlight.Run, _ transfer: TransferTrace, _ trace: LoadTrace
    ) async throws -> Original {
        let now = Date.now
        let freshness = Freshness(of: response.metadata, receivedAt: now)
        let (body, received) = try await response.collected(limits: request.context.limits, run.emit)
        var original = Original(
            body: body,
            origin: localVersion == nil ? .network : .local,
            version: OriginalVersion(
                revision: localVersion ?? UUID().uuidString, isLocal: localVersion != nil, expires: freshness.expires,
                mustRevalidate: freshness.mustRevalidate),
            received: received, forbidsStore: freshness.forbidsStore)
        failedURLs.remove(request.url)
        original.report.decision = request.decisionAfterLoading(
            isLocal: localVersion != nil, had: kept != nil, forbidsStore: original.forbidsStore)
        guard case .data(let data) = original.body else { return original }
        transfer.received(data.count)
        if let kept, kept.data == data, let version = kept.metadata.original {
            original.version?.revision = version.revision  // the same bytes again: all variants still hold
            original.report.decision = .unchanged
        } else if kept != nil || request.context.cacheUse == .loaderOnly {
            await removeVariants(of: request)
        }
        var metadata = DataEntry.Metadata(storedAt: now)
        metadata.response = response.metadata
        metadata.original = original.version
        metadata.extendedData = kept?.metadata.extendedData
        original.entry = DataEntry(data, metadata: metadata)
        if localVersion == nil { await trace.measure(.store) { await keepOriginal(original, request) } }
        return original
    }

    /// What the cache has, after its origin said that it still holds.
    private func renewed(_ kept: DataEntry, _ response: LoadResponse, _ request: Request) async -> Original {
        var renewed = kept
        let now = Date.now
        renewed.metadata.response = kept.metadata.response?.updated(by: response.metadata) ?? response.metadata
        let freshness = Freshness(of: renewed.metadata.response, receivedAt: now)
        renewed.metadata.original?.expires = freshness.expires
        renewed.metadata.original?.mustRevalidate = freshness.mustRevalidate
        if let key = request.key?.original { await update(renewed.metadata, key, originalCache(for: request)) }
        return Original(renewed, .revalidated)
    }
}

extension Original {
    fileprivate init(_ entry: DataEntry, _ decision: CacheDecision, isStale: Bool = false) {
        self.init(
            body: .data(entry.data), origin: .disk, version: entry.metadata.original, entry: entry, isStale: isStale,
            report: LoadReport(decision: decision))
    }
}

extension LoadResponse {
    /// The body, with all its bytes gathered and counted against `limits` as they arrive.
    fileprivate func collected(
        limits: DecodeLimits, _ emit: (TransferEvent) -> Void
    ) async throws -> (Original.Body, ReceivedBytes?) {
        func check(_ byteCount: Int) throws {
            guard byteCount <= limits.encodedByteCount else {
                throw ImageError.overLimit(
                    "encodedByteCount", value: byteCount, bound: limits.encodedByteCount, stage: .load)
            }
        }
        switch body {
        case .image(let image): return (.image(image), nil)
        case .notModified:
            throw ImageError(.internal, .load, "the loader says that nothing has changed, but nothing was kept")
        case .data(let data):
            try check(data.count)
            emit(TransferEvent(event: .progress(receivedByteCount: data.count, expectedByteCount: data.count)))
            return (.data(data), nil)
        case .chunks(let chunks):
            try check(expectedByteCount ?? 0)
            let received = ReceivedBytes(expectedByteCount: expectedByteCount ?? 0)
            func tell() {
                let progress = LoadEvent.progress(
                    receivedByteCount: received.count, expectedByteCount: expectedByteCount)
                emit(
                    TransferEvent(event: progress, received: received, expectedByteCount: expectedByteCount))
            }
            tell()
            for try await chunk in chunks {
                try check(received.count + chunk.count)
                received.append(chunk)
                tell()
            }
            guard received.count >= expectedByteCount ?? 0 else {
                throw ImageError(
                    .network, .load,
                    "the transfer ended after \(received.count) of \(expectedByteCount ?? 0) bytes")
            }
            return (.data(received.all), received)
        }
    }
}
