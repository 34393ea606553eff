#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageManager {
    func load(
        _ url: URL, context: ImageContext, observer: (@Sendable (LoadEvent) -> Void)?
    ) async throws(ImageError) -> LoadResult {
        guard !url.absoluteString.isEmpty else { throw ImageError(.invalidURL, .request, "the URL is empty") }
        let request = Request(url, context, components)
        if let key = request.key, let image = freshImage(for: key, request) {
            return LoadResult(image: image, key: key, origin: .memory)
        }
        do {
            return try await results.value(for: request.resultFlight, observer: observer) { [self] run in
                try await make(request, run)
            }
        } catch {
            throw ImageError(error, in: .load)
        }
    }

    /// The image in memory that may be shown without asking anybody.
    func freshImage(for key: CacheKey, _ request: Request) -> Image? {
        guard request.context.cacheUse == .standard || request.context.cacheUse == .cacheOnly,
            let cache = components.imageCache, let image = cache.image(for: key)
        else { return nil }
        guard isCurrent(image.metadata.original, request) else { return nil }
        return image
    }

    /// Everything after a memory miss, in the order it happens.
    private func make(_ request: Request, _ run: ResultFlight.Run) async throws -> LoadResult {
        if request.isVariant, let kept = try await keptResult(request, run) { return kept }
        let original = try await original(for: request, run)
        var image: Image
        switch original.body {
        case .image(let ready): image = ready
        case .data(let data): image = try await decode(data, of: original, request, run)
        }
        image = try await transform(image, request, run)
        image.metadata.original = original.version
        image.metadata.extendedData = image.metadata.extendedData ?? original.entry?.metadata.extendedData
        let isTransformable = image.animation == nil || request.context.transformsAnimations
        let result = LoadResult(
            image: image.scaled(for: request),
            key: request.key,
            origin: original.origin == .disk && request.isVariant ? .original : original.origin,
            encodedData: request.isVariant ? nil : original.data,
            isStale: original.isStale)
        // An animation that was to be left alone is not what its key says.
        if isTransformable || request.context.transformers.isEmpty { await keep(result, original, request) }
        return result
    }

    private func decode(
        _ data: Data, of original: Original, _ request: Request, _ run: ResultFlight.Run
    ) async throws -> Image {
        do {
            return try await work(run) { [coders] in
                try coders.decode(data, context: request.context, cancellation: run.cancellation)
            }
        } catch let error as ImageError where original.origin == .disk && error.isAboutBytes {
            // A broken entry heals: once, because what comes now is not from the disk.
            try? await components.dataCache?.remove(original.key)
            let again = try await self.original(for: request.reloading, run)
            guard let data = again.data else { throw error }
            return try await work(run) { [coders] in
                try coders.decode(data, context: request.context, cancellation: run.cancellation)
            }
        } catch let error as ImageError where error.isAboutBytes {
            remember(error, of: request)
            throw error
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

extension ImageManager {
    typealias ResultFlight = SingleFlight<FlightKey, LoadResult, LoadEvent>
}

extension Request {
    /// Whether the result is something else than the original.
    var isVariant: Bool { !(key?.variant ?? context.variant).isEmpty }

    /// The same load, past all caches.
    fileprivate var reloading: Request {
        var context = context
        context.cacheUse = .loaderOnly
        return Request(url: url, context: context, key: key)
    }
}

extension ImageError {
    /// Whether the bytes are to blame, so that other bytes could help.
    var isAboutBytes: Bool { [.corrupt, .incomplete, .noCoder].contains(kind) }
}

extension Image {
    /// The image after `transformers`, each frame of an animation when it is asked for.
    fileprivate func transformed(
        by transformers: [any ImageTransformer], _ context: ImageContext, _ cancellation: CancellationFlag
    ) throws(ImageError) -> Image {
        @Sendable func apply(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
            try transformers.reduce(bitmap) { bitmap, transformer in
                try request.checkCancellation()
                return try transformer.transform(bitmap, request)
            }
        }
        let first = try ImageError.wrap(.transform) {
            try apply(bitmap, TransformRequest(context: context, cancellation: cancellation))
        }
        let frames = animation?.map { try apply($0, TransformRequest(context: context)) }
        var image = Image(info: info, bitmap: first, animation: frames, metadata: metadata)
        image.metadata.isTransformed = true
        return image
    }

    /// The image with the scale that was asked for, or that the URL's name tells.
    fileprivate func scaled(for request: Request) -> Image {
        let scale = request.context.scale ?? request.key?.scale ?? 1
        guard scale > 1 else { return self }
        var image = self
        image.metadata.scale = scale
        return image
    }
}

extension CacheKey {
    /// Pixels a point as a name such as `cat@2x.png` tells; SDWebImage's rule.
    fileprivate var scale: Double {
        guard source.utf8.count >= 8 else { return 1 }
        let isWeb = source.hasPrefix("http://") || source.hasPrefix("https://")
        for scale in [2, 3] where source.contains("@\(scale)x.") || isWeb && source.contains("%40\(scale)x.") {
            return Double(scale)
        }
        return 1
    }
}
