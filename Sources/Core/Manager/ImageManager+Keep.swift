#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Whatever a data cache throws is a miss, or something not kept, and never a failed load.
extension ImageManager {
    /// The image in memory that may be shown without asking anybody.
    func freshImage(for key: CacheKey, _ request: Request) -> Image? {
        guard request.context.cacheUse == .standard || request.context.cacheUse == .cacheOnly,
            let image = components.imageCache?.image(for: key), isCurrent(image.metadata.original, request)
        else { return nil }
        return image
    }

    /// Whether something made of `version` may be shown without asking its origin.
    func isCurrent(_ version: OriginalVersion?, _ request: Request) -> Bool {
        guard let version else { return true }
        if version.isLocal { return loader(of: request.url)?.localVersion(of: request.url) == version.revision }
        guard let expires = version.expires else { return true }
        return request.context.cacheUse == .cacheOnly || Date.now < expires
    }

    /// The original bytes on disk.
    func keptOriginal(_ request: Request) async -> DataEntry? { await entry(for: request.key?.original, request) }

    /// The finished result on disk.
    func keptResult(_ request: Request) async -> DataEntry? { await entry(for: request.key, request) }

    /// Keeps the bytes of an original that just came.
    func keepOriginal(_ original: Original, _ request: Request) async {
        guard !original.forbidsStore, let key = request.key?.original, let entry = original.entry else { return }
        try? await components.dataCache?.store(entry, for: key)
    }

    /// Keeps a result: in memory now, and on disk while the caller goes on.
    func keep(_ result: LoadResult, _ original: Original, _ request: Request) {
        guard !original.forbidsStore, let key = request.key else { return }
        components.imageCache?.store(result.image, for: key)
        guard request.isVariant, let cache = components.dataCache,
            let format = components.resultFormat, coders.encoder(for: format) != nil
        else { return }
        pendingStores.start { [components] in
            let data = try await components.workExecutor.run { try components.coders.encode(result.image, as: format) }
            try await cache.store(DataEntry(data, metadata: .init(of: result.image)), for: key)
        }
    }

    /// Notes until when a kept result is fresh, now that its original was asked.
    func renew(_ entry: DataEntry, _ version: OriginalVersion, _ key: CacheKey) async {
        guard entry.metadata.original != version else { return }
        var metadata = entry.metadata
        metadata.original = version
        try? await components.dataCache?.update(metadata, for: key)
    }

    /// Removes an original that is no picture.
    func removeOriginal(_ request: Request) async {
        guard let key = request.key?.original else { return }
        try? await components.dataCache?.remove(key)
    }

    /// Removes a result that is no picture.
    func removeResult(_ request: Request) async {
        guard let key = request.key else { return }
        try? await components.dataCache?.remove(key)
    }

    /// Removes what was made of bytes that have changed.
    func removeVariants(of request: Request) async {
        guard let key = request.key else { return }
        components.imageCache?.removeAll(ofSource: key.source)
        try? await components.dataCache?.removeAll(ofSource: key.source)
    }

    private func entry(for key: CacheKey?, _ request: Request) async -> DataEntry? {
        guard request.context.cacheUse != .loaderOnly, let key else { return nil }
        return try? await components.dataCache?.entry(for: key)
    }
}

extension ImageError {
    /// Whether something of `version` is better than this error, which came when its origin was asked.
    func allowsStale(_ version: OriginalVersion?) -> Bool {
        [.network, .timedOut].contains(kind) && !(version?.mustRevalidate ?? false)
    }

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
