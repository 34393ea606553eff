import DarkroomPlatform

/// The run that makes an encoded result, a file, for all callers that share it.
final class FileRun: Step {
    let request: EncodedRequest
    let pipeline: LoadPipeline
    let run: LoadPipeline.Files.Run
    let caches: RequestCaches
    let trace = LoadTrace()
    let memory: TransferMemory
    let artifact: Artifact?
    private var admission: Admission?

    init(_ request: EncodedRequest, pipeline: LoadPipeline, run: LoadPipeline.Files.Run) async {
        self.request = request
        self.pipeline = pipeline
        self.run = run
        memory = pipeline.components.memoryBudget.makeTransferMemory(run.urgency)
        caches = await pipeline.caches(for: request.image)
        artifact = request.key.map(caches.file)
    }

    /// Makes the file after a memory miss. Called once.
    func file() async throws -> EncodedResult {
        defer { admission?.release() }
        var result = try await product()
        result.report = trace.value
        return result
    }

    func open(_ found: Found) -> EncodedResult? {
        let isStale = found.verdict.isStale
        guard var result = EncodedResult(found.entry, for: request, isStale: isStale, at: caches.rules.now) else {
            return nil
        }
        result.origin = found.origin
        trace.update { $0.decision = found.verdict }
        if case .staleWhileRevalidating = found.verdict { pipeline.revalidate(request) }
        return result
    }

    func input(_ lookup: Lookup) async throws -> LoadResult {
        admission = try await pipeline.admitEncoding(request.image, run.urgency)
        // Callers that join the run may be more urgent than its leader.
        let request = request.image.forEncoding.with { $0.urgency = run.urgency }
        let image = try await pipeline.load(request, observer: run.emit, isForFile: true)
        trace.add(image.report)
        trace.update { $0.isTransferJoined = image.report.isTransferJoined }
        return image
    }

    func make(of image: LoadResult, _ lookup: Lookup) async throws -> LeasedWork<EncodedResult>.Product {
        if let found = lookup.found, let result = await confirmed(found, by: image) {
            return .init(value: result, store: nil)
        }
        trace.update { if lookup.found != nil, $0.decision == .missing { $0.decision = .changed } }
        let (file, data, quality) = try await trace.measure(.encode) { try await encode(image) }
        note(quality)
        let entry = entry(data, file: file, of: image)
        var store: SharedStore?
        if let key = request.key, image.makesStorableFiles(for: request.context) {
            // The load of the image may have begun before this one.
            let tickets = caches.tickets(of: image) ?? lookup.tickets
            store = await trace.measure(.store) { caches.storeFile(entry, at: key, with: tickets) }
        }
        return .init(value: result(of: entry, file: file, made: image), store: store)
    }

    /// Returns the stored file, if it was made from the same version of the original as `image`.
    private func confirmed(_ found: Found, by image: LoadResult) async -> EncodedResult? {
        guard let version = image.storableVersion, found.entry.metadata.original?.revision == version.revision else {
            return nil
        }
        await artifact?.renew(found.entry, to: version)
        var entry = found.entry
        entry.metadata.original = version
        return EncodedResult(entry, for: request, isStale: image.isStale, at: caches.rules.now)
    }
}

// New files.
extension FileRun {
    private func result(of entry: DataEntry, file: EncodedFile, made image: LoadResult) -> EncodedResult {
        var result = EncodedResult(entry, file: file, key: request.key, origin: image.origin)
        result.isStale = image.isStale
        if image.isStorable {
            result.freshness = RemainingFreshness(of: image.storableVersion, for: request.context, at: caches.rules.now)
        }
        return result
    }

    /// Makes the file of `result` in the time that decoding and transforming have left.
    private func encode(_ result: LoadResult) async throws -> (EncodedFile, Data, ChosenQuality?) {
        let clock = WorkClock(limit: request.context.limits.workTime)
        clock.add(timeSpent: result.report.workTime)
        let (image, context, coders) = (result.image, request.context, pipeline.components.coders)
        let scope = WorkScope(urgency: run.urgency, cancellation: run.cancellation, clock: clock)
        let original = await original(of: result)
        return try await pipeline.work(scope) {
            let making = FileMaking(image: image, original: original, context: context, coders: coders, scope: scope)
            let (data, format, quality) = try making.file()
            let frameCount = context.usesFirstFrameOnly ? 1 : image.animation?.frameCount ?? 1
            let file = EncodedFile(
                format: format, size: context.encodedSize(of: image), frameCount: frameCount,
                digest: data.contentDigest, notes: making.notes(on: data, in: format))
            return (file, data, quality)
        }
    }

    private func note(_ quality: ChosenQuality?) {
        guard let quality else { return }
        trace.update { $0.chosenQuality = quality }
        trace.describe(.encode, as: "\(quality)")
    }

    /// Returns the file from which the image was decoded, if it is at hand or, for an image as its file stores it, in a
    /// data cache.
    private func original(of result: LoadResult) async -> Data? {
        if let original = result.original { return original }
        guard result.image.bitmap.isAsStored, let original = caches.original, original.isRead else { return nil }
        let entry = await original.slot.find(original.key, trace, nil).entry
        let isSame = entry?.metadata.original?.revision == result.image.metadata.original?.revision
        return isSame ? entry?.data : nil
    }

    /// Returns the entry for the data cache.
    private func entry(_ data: Data, file: EncodedFile, of result: LoadResult) -> DataEntry {
        var metadata = DataEntry.Metadata(storedAt: caches.rules.now)
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

    /// Returns whether a file made from the image may be stored: not if a part is missing, or if the image does not match
    /// its key because it is an animation whose transformers were not applied.
    fileprivate func makesStorableFiles(for context: ImageContext) -> Bool {
        let isSubstitute = !image.metadata.isTransformed && !context.transformers.isEmpty
        return storableVersion != nil && !image.metadata.isIncomplete && !isSubstitute
    }
}

extension EncodedResult {
    /// Creates the result that `entry`, of a cache, is for the callers of `request`; `nil` if it is no encoded result.
    init?(_ entry: DataEntry, for request: EncodedRequest, isStale: Bool, at now: Date) {
        guard let file = entry.metadata.file else { return nil }
        self.init(entry, file: file, key: request.key, origin: .disk)
        freshness = RemainingFreshness(of: entry.original, for: request.context, at: now)
        isCached = true
        self.isStale = isStale
    }
}

extension RemainingFreshness {
    /// Creates the freshness of a result made from `version`; that of one that remains fresh if it is `nil`.
    fileprivate init(of version: OriginalVersion?, for context: ImageContext, at now: Date) {
        self = version.map { RemainingFreshness(of: $0, for: context, at: now) } ?? RemainingFreshness()
    }
}
