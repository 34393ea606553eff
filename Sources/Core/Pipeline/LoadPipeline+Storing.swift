import DarkroomPlatform

// Images that the app provides as results, in place of a load.
extension LoadPipeline {
    /// Stores `image` as the result of `request`, and in the data cache as `file` if there is one.
    ///
    /// It is encoded first, so that nothing is replaced if that fails.
    func store(_ image: Image, file: Data?, for request: Request) async throws {
        var image = image.provided(for: request)
        try check(image, for: request)
        if let file {
            let (executor, urgency) = (components.workExecutor, request.context.urgency)
            _ = try await coders(for: request).coder(for: file, on: executor, urgency: urgency)
        }
        let caches = await caches(for: request)
        let entry = caches.storesOnDisk ? try await makeEntry(of: image, file: file, for: request) : nil
        guard entry != nil || caches.storesInMemory else { throw ImageError.storedNowhere }
        let tickets = await replaceResult(in: caches)
        image.metadata.tickets = tickets
        caches.images.store(image, with: tickets)
        let store = entry.flatMap { caches.startStore(of: $0, with: tickets) }
        endRuns(of: request)
        try await store?.value
    }

    /// Checks that a load of `request` could return the image.
    private func check(_ image: Image, for request: Request) throws(ImageError) {
        try validate(request)
        guard request.key != nil else {
            throw ImageError(.refused, .cache, "a key filter excludes the image from all caches")
        }
        guard !image.metadata.isIncomplete, !image.metadata.isPreview else {
            throw ImageError(.incomplete, .cache, "a part of an image is never cached")
        }
        guard !request.leavesUntransformed(image) else {
            throw ImageError(
                .unsupported, .cache,
                "a load with these transformers leaves animations as they are; store the animation without them")
        }
    }

    private func makeEntry(of image: Image, file: Data?, for request: Request) async throws -> DataEntry? {
        let encoder = EntryEncoder(rules(for: request))
        let scope = WorkScope(
            urgency: request.context.urgency, cancellation: CancellationFlag(),
            clock: WorkClock(limit: request.context.limits.workTime))
        let entry = try await withTaskCancellationHandler {
            try await work(scope) {
                try ImageError.wrap(.encode) {
                    try encoder.entry(of: image, file: file, cancellation: scope.cancellation, clock: scope.clock)
                }
            }
        } onCancel: {
            scope.cancellation.set()
        }
        if entry == nil, let format = encoder.format(of: image) {
            throw ImageError(
                .unsupported, .encode,
                "no installed coder writes \(format); install one, or provide the encoded image")
        }
        return entry
    }

    /// Removes the entries in whose place the image is stored, and returns the tickets for it. Loads in flight store
    /// nothing any more.
    ///
    /// An original replaces all entries of its source, as a response does. A variant says nothing about its original.
    private func replaceResult(in caches: RequestCaches) async -> StoreTickets {
        let request = caches.request
        guard let key = request.key, !request.isVariant else {
            await caches.removeResult(andFileAt: EncodedRequest(request).key)
            return await caches.takeTickets()
        }
        let tickets = await caches.takeTickets()
        var response = SourceResponse(of: key, at: .now())
        response.isReplacement = true
        return await caches.start(response, after: tickets)
    }
}

extension Image {
    /// Returns this image, which the app provides, with the metadata of a result of `request`.
    fileprivate func provided(for request: Request) -> Image {
        var image = scaled(request.key?.scaleInName)
        var metadata = image.metadata
        metadata.original = OriginalVersion(providedWith: metadata.original, for: request)
        metadata.tickets = nil
        metadata.thumbnail = request.context.thumbnail
        metadata.isTransformed = !request.context.transformers.isEmpty
        metadata.extendedData = request.context.extendedData ?? metadata.extendedData
        image.metadata = metadata
        return image
    }
}

extension OriginalVersion {
    /// Creates the version of an image that the app provides for `request`. `known` is that of the image, if it was
    /// made from a loaded one: its freshness remains, and so do the restrictions on its use.
    fileprivate init(providedWith known: OriginalVersion?, for request: Request) {
        if let known, request.isVariant, known.isLocal == request.isLocal {
            self = known
            return
        }
        let known = known.flatMap { $0.isLocal ? nil : $0 }
        // New bytes are a new version, so nothing made from other ones is taken for current.
        self.init(
            revision: UUID().uuidString, freshness: known?.freshness, varied: known?.varied ?? VariedFields())
        route = known == nil ? SourceRoute([]) : known?.route
    }
}

extension ImageError {
    fileprivate static let storedNowhere = ImageError(
        .refused, .cache, "no cache stores the image; check the caches of the manager and context.cachePolicy")
}
