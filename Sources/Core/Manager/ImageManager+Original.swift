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
    var key: CacheKey
    var origin: LoadResult.Origin
    var version: OriginalVersion?
    var entry: DataEntry?
    var isStale = false
    /// Whether its origin forbids keeping it, or anything made of it.
    var forbidsStore = false

    var data: Data? {
        guard case .data(let data) = body else { return nil }
        return data
    }
}

extension ImageManager {
    /// The original behind `request`, fetched once however many variants of it are wanted.
    func original(for request: Request, _ run: ResultFlight.Run) async throws -> Original {
        try await originals.value(for: request.originalFlight, observer: run.emit) { [self] run in
            try await fetch(request, run)
        }
    }

    /// Disk, then the loader; and the loader with what the disk has when that may be out of date.
    private func fetch(_ request: Request, _ run: SingleFlight<FlightKey, Original, LoadEvent>.Run) async throws -> Original {
        let entry = await keptOriginal(request)
        let kept = entry.map { Original($0, key: request.originalKey) }
        if let kept, request.context.cacheUse != .refresh, request.context.cacheUse != .loaderOnly {
            if request.context.cacheUse == .cacheOnly || isCurrent(kept.version, request) { return kept }
        }
        guard request.context.cacheUse != .cacheOnly else {
            throw ImageError(.cacheOnlyMiss, .cache, "the caches do not have it, and only they were asked")
        }
        do {
            return try await transfer(request, kept, run)
        } catch let error as ImageError where kept?.mayBeShown(after: error) ?? false {
            // Pictures once seen show offline.
            var stale = kept!  // the condition above
            stale.isStale = true
            return stale
        }
    }

    private func transfer(
        _ request: Request, _ kept: Original?, _ run: SingleFlight<FlightKey, Original, LoadEvent>.Run
    ) async throws -> Original {
        let loader = try loader(for: request)
        do {
            run.emit(.started)
            let localVersion = loader.localVersion(of: request.url)
            let stored = request.context.cacheUse == .loaderOnly ? nil : kept?.entry?.metadata.response
            let response = try await loader.load(
                LoadRequest(url: request.url, context: request.context, stored: stored))
            if case .notModified = response.body, let kept { return await renewed(kept, response, request) }
            return try await received(response, kept, localVersion, request, run)
        } catch {
            let error = ImageError(error, in: .load)
            if loader.remembers(error) { failedURLs.insert(request.url, error) }
            throw error
        }
    }

    private func loader(for request: Request) throws(ImageError) -> any ImageLoader {
        guard let loader = components.loaders.last(where: { $0.canLoad(request.url) }) else {
            let scheme = request.url.scheme.map { "\($0) URLs" } ?? "a URL without scheme"
            throw ImageError(.noLoader, .load, "no loader for \(scheme) is installed")
        }
        if !request.context.retryFailed, let failure = failedURLs.failure(of: request.url) {
            throw ImageError(
                .refused, .load,
                "it failed a moment ago: \(failure.message); try it again with context.retryFailed", underlying: failure)
        }
        return loader
    }

    /// Remembers that the bytes of `request` are no picture.
    func remember(_ error: ImageError, of request: Request) {
        guard let loader = components.loaders.last(where: { $0.canLoad(request.url) }), loader.remembers(error) else { return }
        failedURLs.insert(request.url, error)
    }

    /// Takes in what a loader brought, and keeps it.
    private func received(
        _ response: LoadResponse, _ kept: Original?, _ localVersion: String?, _ request: Request,
        _ run: SingleFlight<FlightKey, Original, LoadEvent>.Run
    ) async throws -> Original {
        let now = Date.now
        let freshness = Freshness(of: response.metadata, receivedAt: now)
        var original = Original(
            body: try await body(of: response, request, run),
            key: request.originalKey,
            origin: localVersion == nil ? .network : .local,
            version: OriginalVersion(
                revision: localVersion ?? UUID().uuidString, expires: freshness.expires,
                mustRevalidate: freshness.mustRevalidate),
            forbidsStore: freshness.forbidsStore)
        failedURLs.remove(request.url)
        guard let data = original.data else { return original }
        if let kept, kept.data == data, let revision = kept.version?.revision {
            original.version?.revision = revision  // the same bytes again: all variants still hold
        } else if localVersion == nil {
            await removeVariants(of: request)
        }
        var metadata = DataEntry.Metadata(storedAt: now)
        metadata.response = response.metadata
        metadata.original = original.version
        metadata.extendedData = kept?.entry?.metadata.extendedData
        original.entry = DataEntry(data, metadata: metadata)
        if localVersion == nil { await keepOriginal(original, request) }
        return original
    }

    private func body(
        of response: LoadResponse, _ request: Request, _ run: SingleFlight<FlightKey, Original, LoadEvent>.Run
    ) async throws -> Original.Body {
        let bound = request.context.limits.encodedByteCount
        func check(_ byteCount: Int) throws {
            guard byteCount <= bound else {
                throw ImageError.overLimit("encodedByteCount", value: byteCount, bound: bound, stage: .load)
            }
        }
        switch response.body {
        case .image(let image): return .image(image)
        case .notModified:
            throw ImageError(.internal, .load, "the loader says that nothing has changed, but nothing was kept")
        case .data(let data):
            try check(data.count)
            run.emit(.progress(receivedByteCount: data.count, expectedByteCount: data.count))
            return .data(data)
        case .chunks(let chunks):
            let expected = response.expectedByteCount
            if let expected { try check(expected) }
            var data = Data()
            // The origin's word about the length is not worth more memory than this.
            data.reserveCapacity(min(expected ?? 0, 1 << 20))
            run.emit(.progress(receivedByteCount: 0, expectedByteCount: expected))
            for try await chunk in chunks {
                try check(data.count + chunk.count)
                data.append(chunk)
                run.emit(.progress(receivedByteCount: data.count, expectedByteCount: expected))
            }
            if let expected, data.count < expected {
                throw ImageError(.network, .load, "the transfer ended after \(data.count) of \(expected) bytes")
            }
            return .data(data)
        }
    }

    /// What the cache has, after its origin said that it still holds.
    private func renewed(_ kept: Original, _ response: LoadResponse, _ request: Request) async -> Original {
        var renewed = kept
        guard var metadata = kept.entry?.metadata else { return kept }
        let stored = metadata.response?.updated(by: response.metadata) ?? response.metadata
        let freshness = Freshness(of: stored, receivedAt: .now)
        metadata.response = stored
        metadata.original?.expires = freshness.expires
        metadata.original?.mustRevalidate = freshness.mustRevalidate
        renewed.version = metadata.original
        renewed.entry?.metadata = metadata
        try? await components.dataCache?.update(metadata, for: kept.key)
        return renewed
    }
}

extension Original {
    fileprivate init(_ entry: DataEntry, key: CacheKey) {
        self.init(
            body: .data(entry.data), key: key, origin: .disk, version: entry.metadata.original, entry: entry)
    }

    /// Whether it is better than `error`, which came when its origin was asked.
    fileprivate func mayBeShown(after error: ImageError) -> Bool {
        guard let version else { return true }
        return !version.mustRevalidate && [.network, .timedOut].contains(error.kind)
    }
}

extension Request {
    fileprivate var originalKey: CacheKey { key?.original ?? CacheKey(source: url.absoluteString) }

    init(url: URL, context: ImageContext, key: CacheKey?) {
        self.url = url
        self.context = context
        self.key = key
    }
}
