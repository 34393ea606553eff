public import DarkroomPlatform

// Originals, which are not decoded.
extension ImageManager {
    /// Returns the bytes of the original of `url` as received, from the caches or a loader, without decoding them.
    ///
    /// Transfers and cached originals are shared with loads of the image. The observers are not notified. Bytes that no
    /// coder accepts are delivered as well, but not stored.
    ///
    /// - Parameters:
    ///   - url: The URL of the image.
    ///   - context: The options of the load.
    ///   - requiresImage: Whether a coder must accept the bytes, which need not be a whole image nevertheless.
    /// - Throws: An ``ImageError``; of kind `unsupported` if the loader delivers a decoded image, and of kind `noCoder` if
    ///   `requiresImage` is not met.
    public func data(
        _ url: URL, context: ImageContext = .init(), requiresImage: Bool = false
    ) async throws(ImageError) -> OriginalData {
        let request = request(for: url, context: context).with {
            $0.cachePolicy.originalQuery.remove(.memory)
            $0.acceptsAnyData = !requiresImage
        }
        let original = try await pipeline.fetchOriginal(of: request, requiresImage: requiresImage)
        return try OriginalData(of: original, url: request.url, at: pipeline.components.now())
    }

    /// Loads the image at `url` into the caches that `context` allows, without decoding it if only its original is
    /// stored. Returns whether it was there already.
    func prefetch(_ url: URL, context: ImageContext) async throws(ImageError) -> Bool {
        if await isCached(url, context: context) { return true }
        let request = request(for: url, context: context)
        guard await pipeline.caches(for: request).storesOnlyOriginal else {
            _ = try await load(url, context: context)
            return false
        }
        return try await pipeline.fetchOriginal(of: request, requiresImage: true).origin == .disk
    }
}
