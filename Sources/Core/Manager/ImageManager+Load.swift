#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageManager {
    typealias ResultFlight = SingleFlight<FlightKey, LoadResult, LoadEvent>

    func load(
        _ url: URL, context: ImageContext, observer: ResultFlight.Observer?
    ) async throws(ImageError) -> LoadResult {
        guard !url.absoluteString.isEmpty else { throw ImageError(.invalidURL, .request, "the URL is empty") }
        let request = Request(url, context, components)
        if let key = request.key, let image = freshImage(for: key, request) {
            return LoadResult(image: image.scaled(request.context.scale), key: key, origin: .memory)
        }
        let scale = request.context.scale
        var ownObserver = observer
        if let observer, scale != nil { ownObserver = { observer($0.scaled(scale)) } }
        var result = try await run(request, ownObserver)
        if request.context.waitsForStore { await waitForStores() }
        result.image = result.image.scaled(scale)
        return result
    }

    /// The result of the run that `request` shares with its equals; or what memory has, when the origin is out of reach.
    private func run(_ request: Request, _ observer: ResultFlight.Observer?) async throws(ImageError) -> LoadResult {
        do throws(ImageError) {
            return try await shared(request, observer)
        } catch {
            guard let key = request.key, let image = components.imageCache?.image(for: key),
                error.allowsStale(image.metadata.original)
            else { throw error }
            return LoadResult(image: image, key: key, origin: .memory, isStale: true)
        }
    }

    /// What the run gives that `request` shares with its equals.
    ///
    /// A filter may have given another URL the same key: its failure is not ours, and our own URL gets a try.
    private func shared(_ request: Request, _ observer: ResultFlight.Observer?) async throws(ImageError) -> LoadResult {
        let work: ResultFlight.Work = { [self] run in
            do {
                return try await make(request, run)
            } catch {
                throw RunFailure(url: request.url, error: ImageError(error, in: .load))
            }
        }
        do {
            do {
                return try await results.value(for: request.resultFlight, observer: observer, work: work)
            } catch let failure as RunFailure where failure.url != request.url {
                return try await results.value(for: request.ownFlight, observer: observer, work: work)
            }
        } catch {
            throw (error as? RunFailure)?.error ?? ImageError(error, in: .load)
        }
    }

    /// Everything after a memory miss, in the order it happens.
    private func make(_ request: Request, _ run: ResultFlight.Run) async throws -> LoadResult {
        let previewer = request.context.previews ? Previewer(request, components, run) : nil
        let kept = request.isVariant ? await keptResult(request) : nil
        var original: Original?
        if let kept, request.context.cacheUse == .refresh || !isCurrent(kept.metadata.original, request) {
            do {
                original = try await self.original(for: request, run, previewer: previewer)
            } catch let error as ImageError where error.allowsStale(kept.metadata.original) {
                if let stale = try await finished(kept, nil, request, run) { return stale.markedStale }
                throw error
            }
        }
        if let kept, original == nil || original?.version?.revision == kept.metadata.original?.revision,
            let result = try await finished(kept, original, request, run)
        {
            return result
        }
        let source =
            if let original { original } else { try await self.original(for: request, run, previewer: previewer) }
        return try await makeResult(of: source, request, run, previewer)
    }

    /// Decodes, transforms and keeps what `request` wants of `original`.
    private func makeResult(
        of original: Original, _ request: Request, _ run: ResultFlight.Run, _ previewer: Previewer?
    ) async throws -> LoadResult {
        let (decoded, original) = try await decode(original, request, run, previewer)
        var image = try await transform(decoded, request, run).scaled(request.key?.scaleInName)
        image.metadata.original = original.version
        image.metadata.extendedData = image.metadata.extendedData ?? original.entry?.metadata.extendedData
        let result = LoadResult(
            image: image,
            key: request.key,
            origin: original.origin == .disk && request.isVariant ? .original : original.origin,
            encodedData: request.isVariant ? nil : original.entry?.data,
            isStale: original.isStale)
        // An animation that was to be left alone is not what its key says.
        if image.metadata.isTransformed || request.context.transformers.isEmpty { keep(result, original, request) }
        return result
    }

    /// The image of `original`. A broken entry heals: it is removed, and the picture loaded again, once.
    private func decode(
        _ original: Original, _ request: Request, _ run: ResultFlight.Run, _ previewer: Previewer? = nil
    ) async throws -> (Image, Original) {
        do {
            let image = try await work(run) { [coders] in
                if let received = original.received, let image = try previewer?.finish(received) { return image }
                return switch original.body {
                case .image(let image): try image.fitted(for: request.context)
                case .data(let data):
                    try coders.decode(data, context: request.context.unscaled, cancellation: run.cancellation)
                }
            }
            return (image, original)
        } catch let error as ImageError where error.isAboutBytes {
            await removeOriginal(request)
            guard original.origin == .disk, request.context.cacheUse != .cacheOnly else {
                remember(error, of: request)
                throw error
            }
            // What comes now is not from the disk, so this happens only once.
            return try await decode(try await self.original(for: request.pastCaches, run), request, run)
        }
    }

    private func transform(_ image: Image, _ request: Request, _ run: ResultFlight.Run) async throws -> Image {
        let transformers = request.context.transformers
        guard !transformers.isEmpty, image.animation == nil || request.context.transformsAnimations else {
            return image
        }
        return try await work(run) {
            try image.transformed(by: transformers, request.context, run.cancellation)
        }
    }

    /// The image of a kept result, whose `original`, if it was asked, is still the same.
    private func finished(
        _ entry: DataEntry, _ original: Original?, _ request: Request, _ run: ResultFlight.Run
    ) async throws -> LoadResult? {
        guard let key = request.key, var image = try await decodeResult(entry, request, run) else { return nil }
        image.metadata.original = entry.metadata.original
        if let version = original?.version {
            image.metadata.original = version
            await renew(entry, version, key)
        }
        components.imageCache?.store(image, for: key)
        return LoadResult(
            image: image, key: key, origin: .disk, encodedData: entry.data, isStale: original?.isStale ?? false)
    }

    /// Decodes a kept result as it is. One that cannot be decoded is removed, and counts as a miss.
    private func decodeResult(
        _ entry: DataEntry, _ request: Request, _ run: ResultFlight.Run
    ) async throws -> Image? {
        do {
            // A profile in a kept result is one that its request wanted to keep.
            let context = ImageContext { $0.keepsProfile = true }
            let image = try await work(run) { [coders] in
                try coders.decode(entry.data, context: context, cancellation: run.cancellation)
            }
            return image.kept(as: entry, request).scaled(request.key?.scaleInName)
        } catch let error as ImageError where error.kind == .cancelled {
            throw error
        } catch {
            await removeResult(request)
            return nil
        }
    }

    /// Runs `body` on the threads for such work, unless nobody waits any more.
    private func work<Value: Sendable>(
        _ run: ResultFlight.Run, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await components.workExecutor.run {
            try run.cancellation.check()
            return try body()
        }
    }
}

/// Why a run failed, and which of the URLs with its key it tried.
private struct RunFailure: Error {
    let url: URL
    let error: ImageError
}

extension ImageContext {
    /// Without the scale, which belongs to a caller and not to the run that callers share.
    fileprivate var unscaled: ImageContext {
        guard scale != nil else { return self }
        var context = self
        context.scale = nil
        return context
    }
}

extension LoadEvent {
    /// The event with the scale of one caller; runs, which callers share, know none.
    fileprivate func scaled(_ scale: Double?) -> LoadEvent {
        if case .preview(let image) = self { .preview(image.scaled(scale)) } else { self }
    }
}

extension LoadResult {
    fileprivate var markedStale: LoadResult {
        var result = self
        result.isStale = true
        return result
    }
}
