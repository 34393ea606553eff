#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageManager {
    /// Everything after a memory miss, in the order it happens.
    func make(_ request: Request, _ run: ResultFlight.Run) async throws -> LoadResult {
        let trace = LoadTrace(request.context.limits)
        var result = try await result(of: request, run, trace)
        result.report = trace.value
        result.report.limits += request.limits(on: result.image)
        return result
    }

    private func result(
        of request: Request, _ run: ResultFlight.Run, _ trace: LoadTrace
    ) async throws -> LoadResult {
        let previewer =
            request.context.previews
            ? Previewer(request, coders(for: request), components.workExecutor, components.memoryBudget, run) : nil
        var kept = request.isVariant ? await keptResult(request, trace) : nil
        if let entry = kept, case let decision = decision(on: entry.metadata.original, request), decision.allowsUse {
            trace.note { $0.decision = decision }
            if let result = try await finished(entry, nil, request, run, trace) {
                if case .staleWhileRevalidating = decision { revalidate(request) }
                return decision.isStale ? result.markedStale : result
            }
            kept = nil
        }
        let original: Original
        do {
            original = try await self.original(for: request, run, trace, previewer: previewer)
        } catch let error as ImageError {
            await previewer?.end()
            if let kept, allowsStale(kept.metadata.original, after: error, request),
                let stale = try await finished(kept, nil, request, run, trace)
            {
                trace.note { $0.decision = .staleOnError(error.cause.kind) }
                return stale.markedStale
            }
            throw error
        }
        if original.forbidsStore || original.version?.revision != kept?.metadata.original?.revision { kept = nil }
        if let image = confirmedImage(of: original, request) {
            if let kept, let key = request.key, let version = original.version {
                await renew(kept, version, key, request)
            }
            return LoadResult(image: image, key: request.key, origin: .memory, isStale: original.isStale)
        }
        if let kept {
            await previewer?.end()
            if let result = try await finished(kept, original, request, run, trace) { return result }
        }
        return try await makeResult(of: original, request, run, trace, previewer)
    }

    /// Decodes, transforms and keeps what `request` wants of `original`.
    private func makeResult(
        of original: Original, _ request: Request, _ run: ResultFlight.Run, _ trace: LoadTrace,
        _ previewer: Previewer?
    ) async throws -> LoadResult {
        let (decoded, original) = try await decode(original, request, run, trace, previewer)
        let result = result(of: try await transform(decoded, request, run, trace), original, request)
        // An animation that was to be left alone is not what its key says.
        if result.image.metadata.isTransformed || request.context.transformers.isEmpty {
            await trace.measure(.store) { await keep(result, decoded, original, request, trace) }
        }
        return result
    }

    @inline(never)
    private func result(of image: Image, _ original: Original, _ request: Request) -> LoadResult {
        var image = image.scaled(request.key?.scaleInName)
        var metadata = image.metadata
        metadata.original = original.version
        metadata.extendedData = metadata.extendedData ?? original.entry?.metadata.extendedData
        image.metadata = metadata
        return LoadResult(
            image: image,
            key: request.key,
            origin: original.origin == .disk && request.isVariant ? .original : original.origin,
            encodedData: request.isVariant ? nil : original.entry?.data,
            isStale: original.isStale)
    }

    /// The image of `original`. A broken entry heals: it is removed, and the picture loaded again, once.
    private func decode(
        _ original: Original, _ request: Request, _ run: ResultFlight.Run, _ trace: LoadTrace,
        _ previewer: Previewer? = nil
    ) async throws -> (Image, Original) {
        do {
            return (try await decoded(original, request, run, trace, previewer), original)
        } catch let error as ImageError where error.isAboutBytes {
            // A coder of its own says nothing about the bytes to anybody else.
            if request.context.coder == nil { await removeOriginal(request) }
            guard original.origin == .disk, request.context.cacheUse != .cacheOnly else {
                remember(error, of: request)
                throw error
            }
            // What comes now is not from the disk, so this happens only once.
            return try await decode(
                try await self.original(for: request.pastCaches, run, trace), request, run, trace)
        }
    }

    private func transform(
        _ image: Image, _ request: Request, _ run: ResultFlight.Run, _ trace: LoadTrace
    ) async throws -> Image {
        let transformers = request.context.transformers
        guard !transformers.isEmpty, image.animation == nil || request.context.transformsAnimations else {
            return image
        }
        return try await trace.measure(.transform) {
            try await work(run.cancellation) {
                let clock = trace.clock
                let work = TransformRequest(context: request.context, cancellation: run.cancellation, clock: clock)
                return try clock.run { try image.transformed(by: transformers, work) }
            }
        }
    }

    /// The image of a kept result, whose `original`, if it was asked, is still the same.
    private func finished(
        _ entry: KeptEntry, _ original: Original?, _ request: Request, _ run: ResultFlight.Run, _ trace: LoadTrace
    ) async throws -> LoadResult? {
        guard let key = request.key, var image = try await decodeResult(entry, request, run, trace) else { return nil }
        image.metadata.original = entry.metadata.original
        if let version = original?.version {
            image.metadata.original = version
            await renew(entry, version, key, request)
        }
        keepInMemory(image, request)
        return LoadResult(
            image: image, key: key, origin: .disk, encodedData: entry.data, isStale: original?.isStale ?? false)
    }

    /// Decodes a kept result as it is. One that cannot be decoded counts as a miss, and is removed.
    private func decodeResult(
        _ entry: KeptEntry, _ request: Request, _ run: ResultFlight.Run, _ trace: LoadTrace
    ) async throws -> Image? {
        do {
            // A profile in a kept result is one that its request wanted to keep.
            let context = ImageContext {
                $0.keepsProfile = true
                $0.limits = request.context.limits
                $0.preloadsFrames = request.context.preloadsFrames
            }
            let decoded = try await decodeReserved(
                entry.data, coders, context, run.urgency, run.cancellation, trace)
            trace.hold(decoded.reservation)
            return decoded.image.kept(as: entry.entry, request).scaled(request.key?.scaleInName)
        } catch let error as ImageError where error.kind == .cancelled {
            throw error
        } catch {
            // A limit of this request says nothing about the bytes to anybody else.
            if (error as? ImageError)?.kind != .overLimit { await removeResult(request) }
            return nil
        }
    }

    /// Runs `body` on the threads for such work, unless nobody waits any more.
    func work<Value: Sendable>(
        _ cancellation: CancellationFlag, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await components.workExecutor.run {
            try cancellation.check()
            return try body()
        }
    }
}

extension LoadResult {
    fileprivate var markedStale: LoadResult {
        var result = self
        result.isStale = true
        return result
    }
}

extension Request {
    /// The limits that made `image` smaller than it was asked for.
    fileprivate func limits(on image: Image) -> [String] {
        guard let byteCount = context.scaleDownByteCount, image.size != image.info.size, !image.metadata.isTransformed
        else { return [] }
        return ["scaleDownByteCount is \(byteCount), so \(image.info.size) became \(image.size)"]
    }
}
