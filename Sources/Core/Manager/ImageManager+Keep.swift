#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Whatever a data cache throws is a miss, or something not kept, and never a failed load.
extension ImageManager {
    /// The original bytes on disk, or on their way there.
    func keptOriginal(_ request: Request, _ trace: LoadTrace) async -> KeptEntry? {
        guard request.originalQuery.contains(.disk) else { return nil }
        return await entry(for: request.key?.original, in: originalCache(for: request), request, trace)
    }

    /// The finished result on disk.
    func keptResult(_ request: Request, _ trace: LoadTrace) async -> KeptEntry? {
        guard request.context.cachePolicy.query.contains(.disk) else { return nil }
        return await entry(for: request.key, in: dataCache(for: request), request, trace)
    }

    /// Keeps the bytes of an original that just came, unless a serializer must see the picture first.
    func keepOriginal(_ original: Original, _ request: Request) async {
        guard let entry = original.entry, let key = request.key?.original, request.originalStore.contains(.disk),
            !original.forbidsStore, request.isVariant || serializer(for: request) == nil
        else { return }
        let serializer = serializer(for: request)
        let pending = PendingStores.Content(entry: entry, version: entry.metadata.original)
        await store(key, byteCount: entry.data.count, pending, in: originalCache(for: request), request) { executor in
            guard let serializer else { return entry.entry }
            return try await executor.run {
                let data = try serializer.data(for: nil, encoded: entry.data, url: request.url)
                return DataEntry(data ?? entry.data, metadata: entry.metadata)
            }
        }
    }

    /// Keeps a result: in memory now, and on disk while the caller goes on.
    ///
    /// `decoded` is the picture before any transformer.
    func keep(
        _ result: LoadResult, _ decoded: Image, _ original: Original, _ request: Request, _ trace: LoadTrace
    ) async {
        guard !original.forbidsStore, let key = request.key else { return }
        keepInMemory(result.image, request)
        if request.isVariant, decoded.metadata.thumbnail == nil,
            request.context.cachePolicy.originalStore.contains(.memory)
        {
            var image = decoded
            image.metadata.original = original.version
            imageCache(for: request)?.store(image, for: key.original)
        }
        if request.isVariant {
            await keepVariant(result.image, key, request, trace.clock)
        } else if let entry = original.entry, original.version?.isLocal != true, original.origin != .disk,
            let serializer = serializer(for: request)
        {
            await keepSerialized(result.image, entry, key, serializer, request)
        }
    }

    /// Keeps an image in memory.
    func keepInMemory(_ image: Image, _ request: Request) {
        guard let key = request.key, request.context.cachePolicy.store.contains(.memory) else { return }
        imageCache(for: request)?.store(image, for: key)
    }

    /// Notes until when a kept result is fresh, now that its original was asked.
    func renew(_ entry: KeptEntry, _ version: OriginalVersion, _ key: CacheKey, _ request: Request) async {
        guard entry.metadata.original != version else { return }
        var metadata = entry.metadata
        metadata.original = version
        await update(metadata, key, dataCache(for: request))
    }

    /// Replaces the metadata of an entry.
    func update(_ metadata: DataEntry.Metadata, _ key: CacheKey, _ cache: (any DataCache)?) async {
        await attempt(reading: false, key) { try await cache?.update(metadata, for: key) }
    }

    /// Removes an original that is no picture.
    func removeOriginal(_ request: Request) async {
        guard let key = request.key?.original else { return }
        await pendingStores.wait(forSource: key.source)
        await attempt(reading: false, key) { try await originalCache(for: request)?.remove(key) }
    }

    /// Removes a result that is no picture.
    func removeResult(_ request: Request) async {
        guard let key = request.key else { return }
        await attempt(reading: false, key) { try await dataCache(for: request)?.remove(key) }
    }

    /// Removes what was made of bytes that have changed.
    func removeVariants(of request: Request) async {
        guard let key = request.key else { return }
        imageCache(for: request)?.removeAll(ofSource: key.source)
        await pendingStores.wait(forSource: key.source)
        for cache in dataCaches(for: request) {
            await attempt(reading: false, key) { try await cache.removeAll(ofSource: key.source) }
        }
    }

    private func keepVariant(_ image: Image, _ key: CacheKey, _ request: Request, _ clock: WorkClock) async {
        let context = ImageContext { $0.limits = request.context.limits }
        let serializer = serializer(for: request)
        let encodedFormat = components.resultFormat.flatMap { coders.encoder(for: $0) == nil ? nil : $0 }
        guard request.context.cachePolicy.store.contains(.disk), serializer != nil || encodedFormat != nil else {
            return
        }
        let pending = PendingStores.Content(version: image.metadata.original)
        await store(key, byteCount: image.heldByteCount, pending, in: dataCache(for: request), request) {
            [coders] executor in
            try await executor.run {
                let own = try serializer?.data(for: image, encoded: nil, url: request.url)
                let data =
                    try own ?? encodedFormat.map { try coders.encode(image, as: $0, context: context, clock: clock) }
                guard let data else { return nil }
                return DataEntry(data, metadata: .init(of: image))
            }
        }
    }

    private func keepSerialized(
        _ image: Image, _ entry: KeptEntry, _ key: CacheKey, _ serializer: any CacheSerializer, _ request: Request
    ) async {
        guard request.originalStore.contains(.disk) else { return }
        let pending = PendingStores.Content(version: entry.metadata.original)
        await store(key, byteCount: entry.data.count, pending, in: originalCache(for: request), request) { executor in
            try await executor.run {
                let data = try serializer.data(for: image, encoded: entry.data, url: request.url)
                return DataEntry(data ?? entry.data, metadata: entry.metadata)
            }
        }
    }

    /// Keeps what `make` answers, while the caller goes on.
    private func store(
        _ key: CacheKey, byteCount: Int, _ content: PendingStores.Content, in cache: (any DataCache)?,
        _ request: Request,
        _ make: @escaping @Sendable (WorkExecutor) async throws -> DataEntry?
    ) async {
        guard let cache else { return }
        let content = request.usesSharedCaches ? content : PendingStores.Content(version: content.version)
        await pendingStores.start(key, byteCount: byteCount, content) { [self] in
            await attempt(reading: false, key) {
                if let entry = try await make(components.workExecutor) { try await cache.store(entry, for: key) }
            }
        }
    }

    private func entry(
        for key: CacheKey?, in cache: (any DataCache)?, _ request: Request, _ trace: LoadTrace
    ) async -> KeptEntry? {
        guard request.context.cacheUse != .loaderOnly, let key, let cache else { return nil }
        if request.usesSharedCaches, let entry = pendingStores.entry(for: key) {
            return permits(entry.metadata.original, request) ? entry : nil
        }
        let entry = await trace.measure(.disk) {
            await attempt(reading: true, key) { try await cache.entry(for: key).map(KeptEntry.init) } ?? nil
        }
        return entry.flatMap { permits($0.metadata.original, request) ? $0 : nil }
    }

    /// What `body` answers; `nil` when it throws, which the observers hear.
    @discardableResult
    private func attempt<Value>(
        reading: Bool, _ key: CacheKey, _ body: () async throws -> Value
    ) async -> Value? {
        do {
            return try await body()
        } catch {
            // A cache that heard that nobody waits any more has not failed.
            guard ImageError(error, in: .cache).kind != .cancelled else { return nil }
            for observer in components.observers { observer.cacheFailed(error, reading: reading, key: key) }
            return nil
        }
    }
}

extension ImageError {
    /// Whether the bytes are to blame, so that other bytes could help.
    var isAboutBytes: Bool { [.corrupt, .incomplete, .noCoder].contains(kind) }
}

extension DataEntry.Metadata {
    /// What is kept beside a finished `image`.
    fileprivate init(of image: Image) {
        self.init()
        info = image.info
        original = image.metadata.original
        extendedData = image.metadata.extendedData
    }
}
