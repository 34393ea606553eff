// Making a result of the original.
extension ResultRun {
    /// Returns the original, which all results of its source share.
    func original(for request: Request, showsPreviews: Bool = true) async throws -> Original {
        // The run of another request may find a decoded original that this one cannot share.
        let isMemoryUsable =
            !request.context.cachePolicy.originalQuery.contains(.memory) || request.sharesDecodedOriginals
        let request = isMemoryUsable ? request : request.with { $0.cachePolicy.originalQuery.remove(.memory) }
        // A second request to the origin server might return a different image.
        if let original = request.sharedDecode?.decoded?.original {
            record(original, isJoined: true)
            return original
        }
        if let error = request.sharedDecode?.failure.error(for: request) { throw error }
        let (run, previewer) = (run, showsPreviews ? previewer : nil)
        let filter = ProgressFilter(interval: request.context.progressInterval)
        do {
            let (original, isJoined) = try await pipeline.original(for: request, urgency: run.urgency) { transfer in
                run.emit(transfer.event)
                guard let previewer, let received = transfer.received else { return }
                if filter.passes(received.count, of: transfer.expectedByteCount) { previewer.bytesArrived(received) }
            }
            record(original, isJoined: isJoined)
            try pipeline.checkImage(of: original, for: request)
            return original
        } catch {
            request.sharedDecode?.failure.offer(error, for: request)
            throw error
        }
    }

    private func record(_ original: Original, isJoined: Bool) {
        trace.add(original.report)
        trace.update { $0.isTransferJoined = isJoined }
    }

    /// Decodes `original`. If its stored bytes are broken, the entry is removed and the image loaded again, once.
    func decode(_ original: Original) async throws -> (Image, Original) {
        do {
            return (try await decoded(original, previewer: previewer), original)
        } catch let error as ImageError where error.isDataError {
            // The request's own coder says nothing about the bytes for other requests.
            if request.context.coder == nil { await caches.removeOriginal() }
            guard original.isCached, request.context.cacheUse != .cacheOnly else {
                return (try await part(of: original, after: error), original)
            }
        }
        original.memory?.release()
        let loaded = try await self.original(for: request.loaderOnly, showsPreviews: false)
        do {
            return (try await decoded(loaded, previewer: nil), loaded)
        } catch let error as ImageError where error.isDataError {
            if request.context.coder == nil { await caches.removeOriginal() }
            return (try await part(of: loaded, after: error), loaded)
        }
    }

    /// Returns the part of `original` that can be decoded, if it is truncated and the request accepts that. Otherwise
    /// throws `error`, which decoding all of it has thrown, and remembers it if a loader has delivered the bytes.
    private func part(of original: Original, after error: ImageError) async throws -> Image {
        if error.kind == .incomplete, request.context.acceptsIncomplete, case .data(let data) = original.body {
            var context = request.context.forSharedDecode
            context.acceptsIncomplete = true
            let job = DecodeJob(data, coders: pipeline.coders(for: request), context: context, scope: scope)
            do {
                let image = hold(try await job.run(on: pipeline, trace: trace))
                isPartial = true
                return image
            } catch let error as ImageError where error.isDataError {
                // There is not even a part.
            }
        }
        // Bytes in a cache say nothing about the URL, which is not asked for others.
        if !original.isCached { pipeline.remember(error, of: request) }
        throw error
    }

    /// Returns the image of `original` before any transformer. It is decoded once for all runs that need it at the same
    /// size.
    private func decoded(_ original: Original, previewer: Previewer?) async throws -> Image {
        if let image = try await existingImage(of: original, previewer: previewer) { return image }
        guard case .data(let data) = original.body else {
            throw ImageError(.internal, .decode, "there are no bytes to decode")
        }
        let context = request.context.forSharedDecode
        let job = DecodeJob(
            data, coders: pipeline.coders(for: request), context: context, reduction: request.reduction, scope: scope)
        let decoded = try await pipeline.decoded(job, flight: request.decodeFlight(of: original))
        trace.add(decoded.stages)
        scope.clock.add(timeSpent: decoded.workTime)
        request.sharedDecode?.offer(decoded.image, of: original, for: request)
        return hold(decoded)
    }

    /// Returns the image if its pixels exist already: from a loader, from the previews, or at another size.
    private func existingImage(of original: Original, previewer: Previewer?) async throws -> Image? {
        let shared = request.sharedDecode?.decoded
        if case .data = original.body, previewer == nil, shared == nil { return nil }
        let (context, scope) = (request.context, scope)
        let existing = try await trace.measure(.decode) {
            try await pipeline.work(scope) { () -> ReservedImage? in
                var existing = try previewer?.finish(original.received)
                scope.clock.add(timeSpent: existing?.workTime ?? .zero)
                let check = scope.monitor(.decode).check
                return try scope.clock.run {
                    if case .image(let image) = original.body {
                        existing = ReservedImage(image: try image.fitted(for: context, check))
                    } else if existing == nil, let shared {
                        existing = ReservedImage(image: try shared.image.shrunk(for: context, check))
                    }
                    if let image = existing?.image { existing?.image = try image.preloaded(for: context, scope) }
                    return existing
                }
            }
        }
        return existing.map(hold)
    }

    func transform(_ image: Image) async throws -> Image {
        let (context, scope) = (request.context, scope)
        guard !context.transformers.isEmpty, !request.leavesUntransformed(image) else { return image }
        let reservation = try await reserveMemory(toTransform: image)
        let result = try await trace.measure(.transform) {
            try await pipeline.work(scope) {
                let work = TransformRequest(context: context, cancellation: scope.cancellation, clock: scope.clock)
                return try scope.clock.run { try image.transformed(by: context.transformers, work) }
            }
        }
        hold(reservation.flatMap { $0.shrunk(to: min($0.byteCount, result.bitmap.byteCount)) })
        return result
    }

    /// Waits for the memory that the transformers need; `nil` if that is little.
    private func reserveMemory(toTransform image: Image) async throws -> MemoryBudget.Reservation? {
        let (byteCount, urgency) = (request.context.transformers.workingByteCount(for: image.size), scope.urgency)
        guard byteCount > MemoryBudget.smallReadByteCount else { return nil }
        let budget = pipeline.components.memoryBudget
        if let reservation = budget.reserveNowForResult(byteCount, priority: urgency.priority) { return reservation }
        return try await trace.measure(.memory) { try await budget.reserveForResult(byteCount, urgency: urgency) }
    }

    func result(showing image: Image, of original: Original) -> LoadResult {
        var image = image.scaled(request.key?.scaleInName)
        var metadata = image.metadata
        metadata.original = original.version
        metadata.tickets = original.tickets
        metadata.extendedData =
            request.context.extendedData ?? metadata.extendedData ?? original.entry?.metadata.extendedData
        image.metadata = metadata
        let isOriginal =
            !request.isVariant
            || request.leavesUntransformed(image) && request.untransformedAnimationKey == request.originalKey
        return LoadResult(
            url: request.url, image: image,
            key: request.key,
            origin: original.origin == .disk && request.isVariant ? .original : original.origin,
            encodedData: isOriginal ? original.entry?.data : nil,
            original: original.entry?.data,
            isStale: original.isStale)
    }
}

extension ImageContext {
    /// The context without the scale and the use of truncated images, which are decided after a shared decode.
    var forSharedDecode: ImageContext {
        guard scale != nil || acceptsIncomplete else { return self }
        var context = self
        context.scale = nil
        context.acceptsIncomplete = false
        return context
    }
}
