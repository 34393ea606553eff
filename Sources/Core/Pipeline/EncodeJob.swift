#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A run that makes an encoded result for all callers that share it.
final class EncodeJob {
    /// Loads the image of a request.
    typealias Load =
        @Sendable (Request, LoadPipeline.Results.Observer?) async throws(ImageError) -> LoadResult

    private let request: EncodedRequest
    private let pipeline: LoadPipeline
    private let run: LoadPipeline.Encodes.Run
    private let load: Load
    private let caches: RequestCaches
    private let trace = LoadTrace()
    /// The store of the new file in the shared cache.
    private var sharedStore: SharedStore?

    init(_ request: EncodedRequest, pipeline: LoadPipeline, run: LoadPipeline.Encodes.Run, load: @escaping Load) {
        self.request = request
        self.pipeline = pipeline
        self.run = run
        self.load = load
        caches = pipeline.caches(for: request.image)
    }

    /// Performs the load after a memory miss. Called once.
    func run() async throws -> EncodedResult {
        var result = try await result()
        result.report = trace.value
        return result
    }

    private func result() async throws -> EncodedResult {
        let stored = await storedFile()
        if let stored, let hit = usableResult(stored) { return hit }
        guard let sharing = caches.sharedFiles, let key = request.key else {
            return try await newResult(inPlaceOf: stored)
        }
        return try await sharing.result(at: key, trace) {
            await sharedResult(in: sharing, at: key)
        } make: {
            .init(value: try await newResult(inPlaceOf: stored), store: sharedStore)
        }
    }

    /// Makes the file of the image, unless that has the version of the `stored` one.
    private func newResult(inPlaceOf stored: DataEntry?) async throws -> EncodedResult {
        let admission = try await pipeline.admitEncoding(run.urgency)
        defer { admission?.release() }
        let image: LoadResult
        let tickets = await caches.takeTickets()
        do {
            image = try await loadImage()
        } catch {
            guard let stored, let stale = staleResult(stored, after: error) else { throw error }
            return stale
        }
        if let stored, let result = await unchangedResult(stored, of: image) { return result }
        trace.update { if stored != nil, $0.decision == .missing { $0.decision = .changed } }
        // The load of the image may have begun before this one.
        return try await makeResult(of: image, with: caches.tickets(of: image) ?? tickets)
    }

    /// Returns the file in the data cache. An entry that is no encoded result counts as a miss.
    private func storedFile() async -> DataEntry? {
        guard let key = request.key, let entry = await caches.encodedResult(at: key, trace) else { return nil }
        return entry.metadata.file == nil ? nil : entry
    }

    private func loadImage() async throws(ImageError) -> LoadResult {
        // Callers that join the run may be more urgent than its leader.
        let request = request.image.forEncoding.with { $0.urgency = run.urgency }
        let image = try await load(request, run.emit)
        trace.add(image.report)
        trace.update { $0.isTransferJoined = image.report.isTransferJoined }
        return image
    }
}

// Existing files.
extension EncodeJob {
    private func usableResult(_ stored: DataEntry) -> EncodedResult? {
        let verdict = caches.verdict(on: stored.metadata.original)
        guard verdict.allowsUse else { return nil }
        trace.update { $0.decision = verdict }
        if case .staleWhileRevalidating = verdict { pipeline.revalidate(request, load: load) }
        return hit(stored, isStale: verdict.isStale)
    }

    /// Returns the file in the shared cache, if it may be used, and copies it into the caches of the manager.
    private func sharedResult(in sharing: RequestSharing, at key: CacheKey) async -> EncodedResult? {
        let tickets = await caches.takeTickets()
        guard let entry = await sharing.entry(for: key, trace), entry.metadata.file != nil,
            caches.verdict(on: entry.metadata.original).allowsUse,
            let tickets = await caches.writer.admit(entry, after: tickets), var hit = usableResult(entry)
        else { return nil }
        hit.origin = .sharedCache
        await caches.writer.storeCopy(ofResult: entry, at: key, with: tickets)
        return hit
    }

    /// Returns the stored file in place of `error`, which occurred on revalidation, if that is allowed.
    private func staleResult(_ stored: DataEntry, after error: ImageError) -> EncodedResult? {
        guard caches.allowsStale(stored.metadata.original, after: error) else { return nil }
        trace.update { $0.decision = .staleOnError(error.cause.kind) }
        return hit(stored, isStale: true)
    }

    /// Returns the stored file, if it was made from the same version of the original as `image`.
    private func unchangedResult(_ stored: DataEntry, of image: LoadResult) async -> EncodedResult? {
        guard let version = image.storableVersion, stored.metadata.original?.revision == version.revision,
            let key = request.key
        else { return nil }
        await caches.writer.renew(stored, to: version, at: key)
        var metadata = stored.metadata
        metadata.original = version
        return hit(DataEntry(stored.data, metadata: metadata), isStale: image.isStale)
    }

    private func hit(_ stored: DataEntry, isStale: Bool) -> EncodedResult? {
        EncodedHit(entry: stored, origin: .disk).result(of: request, isStale: isStale, at: pipeline.components.now())
    }
}

// New files.
extension EncodeJob {
    private func makeResult(of image: LoadResult, with tickets: StoreTickets) async throws -> EncodedResult {
        let (file, data) = try await trace.measure(.encode) { try await encode(image) }
        let entry = entry(data, file: file, of: image)
        let version = image.storableVersion
        if let key = request.key, version != nil, !image.image.metadata.isIncomplete,
            !image.isSubstitute(for: request.context)
        {
            sharedStore = await trace.measure(.store) {
                await caches.writer.storeEncodedResult(entry, at: key, with: tickets)
            }
        }
        let now = pipeline.components.now()
        var result = EncodedResult(entry, file: file, key: request.key, origin: image.origin)
        result.isStale = image.isStale
        if image.isStorable {
            result.freshness = version.map { RemainingFreshness(of: $0, for: request.context, at: now) } ?? .init()
        }
        return result
    }

    /// Encodes `image` in the time that decoding and transforming have left.
    private func encode(_ result: LoadResult) async throws -> (EncodedFile, Data) {
        let clock = WorkClock(limit: request.context.limits.workTime)
        clock.add(timeSpent: result.report.workTime)
        let (image, context, coders) = (result.image, request.context, pipeline.components.coders)
        let scope = WorkScope(urgency: run.urgency, cancellation: run.cancellation, clock: clock)
        return try await pipeline.work(scope) {
            let format = try ImageError.wrap(.encode) { try context.encodedFormat.format(for: image, coders: coders) }
            let data = try coders.encode(
                image, as: format, context: context, cancellation: scope.cancellation, clock: scope.clock)
            let frameCount = context.usesFirstFrameOnly ? 1 : image.animation?.frameCount ?? 1
            let file = EncodedFile(
                format: format, size: context.encodedSize(of: image), frameCount: frameCount,
                digest: data.contentDigest, notes: image.metadata.notes)
            return (file, data)
        }
    }

    /// Returns the entry for the data cache.
    private func entry(_ data: Data, file: EncodedFile, of result: LoadResult) -> DataEntry {
        var metadata = DataEntry.Metadata(storedAt: pipeline.components.now())
        metadata.info = result.image.info
        metadata.file = file
        metadata.original = result.image.metadata.original
        metadata.extendedData = result.image.metadata.extendedData
        return DataEntry(data, metadata: metadata)
    }
}

extension LoadResult {
    /// Whether the origin server allows storing the image and results made from it.
    fileprivate var isStorable: Bool { report.decision != .notStored }

    /// The version of the original, if a file made from the image may be stored.
    fileprivate var storableVersion: OriginalVersion? { isStorable ? image.metadata.original : nil }

    /// Returns whether the image does not match its key: an animation whose transformers were not applied.
    fileprivate func isSubstitute(for context: ImageContext) -> Bool {
        !image.metadata.isTransformed && !context.transformers.isEmpty
    }
}
