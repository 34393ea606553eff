public import DarkroomPlatform

extension ImageManager {
    /// Loads the image at `url` with the options of `context`, and returns it as the bytes of a file.
    ///
    /// The file contains nothing of the original that `context` does not select. It is encoded by a coder of the manager,
    /// except for a picture at the size, in the colours and in the format of its original: that is copied, without its
    /// metadata, unless an option asks for another quality or kind of file. A file that is larger than its original has a note
    /// with the reason. It is stored in the data cache, under the key of the image and the encoding options, instead of the
    /// image, and has the same freshness. An image that a load or the app has stored as the result is encoded as it is. Equal
    /// requests share one run. Cancelling the task leaves the run at once, and cancels it if no other caller is left.
    ///
    /// - Parameters:
    ///   - url: The URL of the image.
    ///   - context: The options of the load and of encoding.
    ///   - format: The format; `nil` for that of ``ImageContext/encodedFormat``.
    ///   - onEvent: Called with the events of the load of the image, such as progress, on any thread. Cached images and
    ///     the result are not among them.
    /// - Throws: An ``ImageError``; of kind `busy` if ``Components/encodingLimit`` is exceeded, and of kind
    ///   `unsupported` if the format cannot represent the image.
    public func encoded(
        _ url: URL, context: ImageContext = .init(), as format: ImageFormat? = nil,
        onEvent: (@Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> EncodedResult {
        try await encoded(prepare(url, context: context, as: format), onEvent: onEvent)
    }

    /// Returns the encoded result of `request`, as ``encoded(_:context:as:onEvent:)`` does.
    public func encoded(
        _ request: PreparedRequest, onEvent: (@Sendable (LoadEvent) -> Void)? = nil
    ) async throws(ImageError) -> EncodedResult {
        if let hit = encodedInMemory(request) { return hit }
        let image = request.encoded.image
        if image.isLocal {
            await image.readLocalVersion(at: pipeline.components.now())
            if let hit = pipeline.fileInMemory(request.encoded, hasReadVersion: true) { return hit }
        }
        return try await pipeline.file(of: request.encoded, observer: onEvent)
    }

    /// Returns the file that `encoded` would return, if it would not suspend; otherwise `nil`.
    ///
    /// A stale file that may be used meanwhile is revalidated in the background. If the source has a ``LocalVersion`` that
    /// has to be read, the result is `nil`.
    public func encodedInMemory(
        for url: URL, context: ImageContext = .init(), as format: ImageFormat? = nil
    ) -> EncodedResult? {
        encodedInMemory(prepare(url, context: context, as: format))
    }

    /// Returns the file that `encoded` would return, if it would not suspend; otherwise `nil`.
    ///
    /// If the source has a ``LocalVersion`` that has to be read, that must have been done within the last
    /// ``ImageContext/localCheckInterval``.
    public func encodedInMemory(_ request: PreparedRequest) -> EncodedResult? {
        pipeline.fileInMemory(request.encoded)
    }

    /// Returns whether ``encoded(_:onEvent:)`` would return a stored file, which takes no work worth mentioning: it neither
    /// contacts an origin server first nor decodes or encodes. It is found out without changing anything.
    public func hasStoredFile(for request: PreparedRequest) async -> Bool {
        await pipeline.hasUsableFile(request.encoded)
    }

    /// Returns a request for ``encoded(_:onEvent:)`` and ``encodedInMemory(_:)`` of this manager, to be used many times.
    public func prepare(
        _ url: URL, context: ImageContext = .init(), as format: ImageFormat? = nil
    ) -> PreparedRequest {
        guard let format else { return PreparedRequest(encoded: EncodedRequest(request(for: url, context: context))) }
        var context = context
        context.encodedFormat = .only(format)
        return PreparedRequest(encoded: EncodedRequest(request(for: url, context: context)))
    }

    /// Returns what `encoded` would do now, found out without loading, decoding or changing anything.
    public func explainEncoded(
        _ url: URL, context: ImageContext = .init(), as format: ImageFormat? = nil
    ) async -> LoadPlan {
        await pipeline.plan(of: prepare(url, context: context, as: format).encoded)
    }

    /// The number of encoded results being made, and of those that wait because of ``Components/encodingLimit``.
    public var encodingCounts: (running: Int, waiting: Int) { pipeline.encodingCounts }
}
