public import DarkroomPlatform

// Using the caches without loading.
extension ImageManager {
    /// Returns the key under which a load with `context` is cached; `nil` if a key filter excludes it from all caches.
    public func key(for url: URL, context: ImageContext = .init()) -> CacheKey? {
        request(for: url, context: context).key
    }

    /// Returns the image of `url` from memory without waiting, if it is fresh.
    ///
    /// The version of a local source, such as the status of a file, is read on this thread.
    public func cachedImage(for url: URL, context: ImageContext = .init()) -> Image? {
        let request = request(for: url, context: context)
        request.readLocalVersionNow(at: pipeline.components.now())
        guard let (image, verdict) = ImageSlot(pipeline.rules(for: request)).usable() else { return nil }
        if case .staleWhileRevalidating = verdict { return nil }
        return image.scaled(request.context.scale)
    }

    /// Stores `image` in the caches in which a load of `url` with `context` stores its result, and returns when that is
    /// done. Such a load then returns it, from memory, or from disk after a restart.
    ///
    /// It is stored as it is, neither resized nor transformed, and is fresh until it is removed or replaced, unless
    /// `image.metadata.original` declares a freshness. If `context` changes no pixels, it is the original from now on:
    /// all earlier entries of `url` are removed. Otherwise only the result is replaced, with the file that `encoded` has
    /// made of it with the encoding options of `context`, and is removed with an original that turns out to have
    /// changed. Loads in flight deliver their results, but store nothing of `url`, and loads that begin later do not
    /// join them. It is not shared with other nodes: the shared cache contains only what origin servers have sent, and
    /// what was made of it.
    ///
    /// - Parameters:
    ///   - image: The image, which must be complete.
    ///   - url: The URL of the image.
    ///   - context: The options of the loads that return the image. Its `cachePolicy` selects the caches, and its
    ///     `extendedData` is stored with the image.
    ///   - encoded: The image as a file, for the data cache; `nil` encodes it in ``Components/resultFormat``. Only the
    ///     signature is checked. A serializer may replace either.
    /// - Throws: An ``ImageError``. Nothing is stored if encoding fails, if no cache stores the image (of kind
    ///   `refused`), or if the image is not complete. If only the data cache fails, its error is thrown, and the image
    ///   is in memory.
    public func store(
        _ image: Image, for url: URL, context: ImageContext = .init(), encoded: Data? = nil
    ) async throws(ImageError) {
        do {
            let request = request(for: url, context: context)
            try await pipeline.store(image, file: encoded, for: request)
        } catch {
            throw ImageError(error, in: .cache)
        }
    }

    /// Returns whether a readable cache has the result of a load with `context`, fresh or stale. Nothing is decoded.
    ///
    /// An image of a local source that has changed since, or one fetched for other header fields, does not count.
    public func isCached(_ url: URL, context: ImageContext = .init()) async -> Bool {
        await pipeline.caches(for: request(for: url, context: context)).containsResult()
    }

    /// Returns what a load of `url` would do now, found out without loading, decoding or changing anything.
    public func explain(_ url: URL, context: ImageContext = .init()) async -> LoadPlan {
        await pipeline.plan(of: request(for: url, context: context))
    }

    /// Removes everything from the caches of the manager.
    ///
    /// Loads in flight continue and deliver their results, which are not stored. Loads that begin later do not join
    /// them. The shared cache is cleared in the background; its entries count as misses at once.
    ///
    /// - Throws: The first error of a cache; the others are cleared nevertheless.
    public func removeAll() async throws { try await pipeline.removeAll() }

    /// Removes the original of `url` and all results made from it, from memory and disk. If values of contexts affect the
    /// source, the originals of all values are removed.
    ///
    /// Loads in flight continue and deliver their results, which are not stored. Loads that begin later do not join
    /// them. In the shared cache, the entries are removed in the background, and count as misses at once.
    public func removeAll(of url: URL, context: ImageContext = .init()) async throws {
        try await pipeline.removeAll(of: request(for: url, context: context))
    }

    /// Removes what another node has removed from the shared cache: everything of `source`, a ``CacheKey/source``, or
    /// everything if it is `nil`, from the caches of this manager.
    ///
    /// It does not remove anything from the shared cache. Errors of the data caches are passed to the observers.
    public func purge(source: String?) async { await pipeline.purge(source: source) }
}
