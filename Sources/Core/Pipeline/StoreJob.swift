#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store of an image that the app provides as the result of a request, in place of a load.
struct StoreJob {
    private let image: Image
    private let file: Data?
    private let request: Request
    private let pipeline: LoadPipeline
    private let caches: RequestCaches

    /// Creates a job that stores `image`, and on disk `file` if there is one.
    init(_ image: Image, file: Data?, for request: Request, in pipeline: LoadPipeline) {
        self.image = image.provided(for: request)
        self.file = file
        self.request = request
        self.pipeline = pipeline
        caches = pipeline.caches(for: request)
    }

    /// Stores the image. It is encoded first, so that nothing is replaced if that fails.
    func run() async throws {
        try check()
        let writer = caches.writer
        let entry = writer.storesOnDisk ? try await makeEntry() : nil
        guard entry != nil || writer.storesInMemory else { throw ImageError.storedNowhere }
        let tickets = await replaceResult()
        var image = image
        image.metadata.tickets = tickets
        writer.storeInMemory(image, with: tickets)
        let store = entry.flatMap { writer.startStore(of: $0, with: tickets) }
        if let source = request.key?.source { pipeline.endRuns(ofSource: source) }
        try await store?.value
    }

    /// Checks that a load of the request could return the image.
    private func check() throws(ImageError) {
        try pipeline.validate(request)
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
        if let file { _ = try pipeline.coders(for: request).coder(for: file) }
    }

    private func makeEntry() async throws -> DataEntry? {
        let encoder = EntryEncoder(for: request, in: pipeline)
        let scope = WorkScope(
            urgency: request.context.urgency, cancellation: CancellationFlag(),
            clock: WorkClock(limit: request.context.limits.workTime))
        let entry = try await withTaskCancellationHandler {
            try await pipeline.work(scope) { [image, file] in
                try ImageError.wrap(.encode) {
                    try encoder.entry(of: image, file: file, cancellation: scope.cancellation, clock: scope.clock)
                }
            }
        } onCancel: {
            scope.cancellation.set()
        }
        if entry == nil, let format = pipeline.components.resultFormat {
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
    private func replaceResult() async -> StoreTickets {
        if let key = request.key, !request.isVariant {
            let tickets = await caches.takeTickets()
            let start = GenerationStart(response: SourceResponse(of: key, at: .now()), isReplaced: true)
            return await caches.writer.start(start, after: tickets)
        }
        await caches.writer.removeResult(andFileAt: EncodedRequest(request).key)
        return await caches.takeTickets()
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
        let isLocal = request.loader?.localVersion(of: request.url) != nil
        if let known, request.isVariant, known.isLocal == isLocal {
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
