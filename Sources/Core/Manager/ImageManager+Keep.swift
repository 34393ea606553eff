#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageManager {
    /// Whether something made of `version` may be shown without asking its origin.
    func isCurrent(_ version: OriginalVersion?, _ request: Request) -> Bool {
        guard let version else { return true }
        if request.url.scheme?.hasPrefix("http") != true,
            let loader = components.loaders.last(where: { $0.canLoad(request.url) }),
            let localVersion = loader.localVersion(of: request.url)
        {
            return localVersion == version.revision
        }
        guard let expires = version.expires else { return true }
        return request.context.cacheUse == .cacheOnly || Date.now < expires
    }

    /// The original bytes on disk; a cache that fails is a miss.
    func keptOriginal(_ request: Request) async -> DataEntry? {
        guard request.context.cacheUse != .loaderOnly, let key = request.key?.original else { return nil }
        return try? await components.dataCache?.entry(for: key)
    }

    /// The finished result on disk, if it is still what its original would give.
    func keptResult(_ request: Request, _ run: ResultFlight.Run) async throws -> LoadResult? {
        guard request.context.cacheUse != .loaderOnly, let key = request.key,
            let entry = try? await components.dataCache?.entry(for: key)
        else { return nil }
        var version = entry.metadata.original
        var isStale = false
        if request.context.cacheUse == .refresh || !isCurrent(version, request) {
            // What the original says counts for all its variants.
            let original = try await original(for: request, run)
            guard original.version?.revision == version?.revision, version != nil else { return nil }
            version = original.version
            isStale = original.isStale
            var metadata = entry.metadata
            metadata.original = version
            try? await components.dataCache?.update(metadata, for: key)
        }
        guard var image = try await finished(entry, key, run) else { return nil }
        image.metadata.original = version
        components.imageCache?.store(image, for: key)
        return LoadResult(image: image, key: key, origin: .disk, encodedData: entry.data, isStale: isStale)
    }

    /// Decodes a finished result as it is. One that cannot be decoded is removed, and counts as a miss.
    private func finished(_ entry: DataEntry, _ key: CacheKey, _ run: ResultFlight.Run) async throws -> Image? {
        do {
            var image = try await components.workExecutor.run { [coders] in
                try coders.decode(entry.data, cancellation: run.cancellation)
            }
            if let info = entry.metadata.info { image = image.withInfo(info) }
            image.metadata = Image.Metadata(of: entry, key)
            return image
        } catch let error as ImageError where error.kind == .cancelled {
            throw error
        } catch {
            try? await components.dataCache?.remove(key)
            return nil
        }
    }

    /// Keeps the bytes of an original that just came.
    func keepOriginal(_ original: Original, _ request: Request) async {
        guard !original.forbidsStore, let key = request.key?.original, let entry = original.entry else { return }
        try? await components.dataCache?.store(entry, for: key)
    }

    /// Keeps a result in memory now, and on disk while the caller goes on.
    func keep(_ result: LoadResult, _ original: Original, _ request: Request) async {
        guard !original.forbidsStore, let key = request.key else { return }
        components.imageCache?.store(result.image, for: key)
        guard request.isVariant, result.image.animation == nil, let cache = components.dataCache,
            let format = components.resultFormat, coders.encoder(for: format) != nil
        else { return }
        let store = pendingStores.start { [components] in
            // A result that cannot be kept is made again the next time: that is no failure of this load.
            let data = try await components.workExecutor.run {
                try components.coders.encode(result.image, as: format)
            }
            try await cache.store(DataEntry(data, metadata: .init(of: result.image)), for: key)
        }
        if request.context.waitsForStore { await store.value }
    }

    /// Removes what was made of bytes that have changed.
    func removeVariants(of request: Request) async {
        guard let key = request.key else { return }
        components.imageCache?.removeAll(ofSource: key.source)
        try? await components.dataCache?.removeAll(ofSource: key.source)
    }
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

extension Image.Metadata {
    /// What the key and the entry of a finished result tell about it.
    fileprivate init(of entry: DataEntry, _ key: CacheKey) {
        self.init()
        extendedData = entry.metadata.extendedData
        isTransformed = key.variant.contains { !$0.hasPrefix("Thumbnail(") && !$0.hasPrefix("FirstFrame(") && !$0.hasPrefix("ScaleDown(") }
    }
}
