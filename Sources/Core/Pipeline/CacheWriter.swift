#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Stores the results of one request, and removes invalid and replaced entries. It decides once which tiers are
/// written.
///
/// If a data cache throws, the entry is not stored, and the error is reported to the observers.
struct CacheWriter: Sendable {
    private let request: Request
    private let pipeline: LoadPipeline
    private let caches: CacheSet
    private let writable: CacheTiers
    private let clock: WorkClock?

    /// Creates a writer for `request`, whose encoding is timed by `clock`; `nil` for a separate clock.
    init(for request: Request, in pipeline: LoadPipeline, clock: WorkClock?) {
        self.request = request
        self.pipeline = pipeline
        self.clock = clock
        caches = CacheSet(for: request, in: pipeline)
        writable = CacheTiers(writtenBy: request)
    }

    /// Whether nothing is stored but the original as received, which need not be decoded for that.
    var storesOnlyOriginal: Bool { writable == .originals && serializer == nil }

    /// Whether the result is stored in memory.
    var storesInMemory: Bool { key != nil && writable.contains(.memory) && caches.images != nil }

    /// Whether the result is stored on disk.
    var storesOnDisk: Bool { key != nil && resultCache != nil }

    /// Stores `result`, made from `original`: in memory at once, and on disk in the background.
    ///
    /// - Parameter decoded: The image before any transformer.
    /// - Returns: The store in the shared cache, if there is one.
    @discardableResult
    func store(_ result: LoadResult, decoded: Image, of original: Original) async -> SharedStore? {
        guard !original.forbidsStore, let key else { return nil }
        storeInMemory(result.image, with: original.tickets)
        if writable.contains(.decodedOriginals), decoded.metadata.thumbnail == nil {
            var image = decoded
            image.metadata.original = original.version
            image.metadata.tickets = original.tickets
            caches.images?.store(image, for: originalKey ?? key, with: original.tickets.images)
        }
        if request.isVariant {
            if writable.contains(.results) {
                return await storeEncoded(result.image, at: key, in: caches.results, with: original.tickets.results)
            }
        } else if original.entry == nil, original.origin == .network {
            // The loader has delivered an image without its bytes.
            if writable.contains(.originals) {
                return await storeEncoded(
                    result.image, at: key, in: caches.originals, with: original.tickets.originals)
            }
        } else if let entry = original.entry, original.version?.isLocal != true, !original.isCached, let serializer {
            return await storeSerialized(result.image, of: original, entry: entry, with: serializer)
        }
        return nil
    }

    /// Stores `image`, an animation that is not to be transformed, in memory as the result of the same request without
    /// transformers.
    func storeUntransformed(_ image: Image, of original: Original) {
        guard !original.forbidsStore, writable.contains(.memory), let key = request.untransformedAnimationKey else {
            return
        }
        caches.images?.store(image, for: key, with: original.tickets.images)
    }

    /// Stores `image` as the result in memory.
    func storeInMemory(_ image: Image, with tickets: StoreTickets) {
        if let key, writable.contains(.memory) { caches.images?.store(image, for: key, with: tickets.images) }
    }

    /// Stores the bytes of an original that was just loaded, unless a serializer needs the decoded image first. Returns
    /// the store in the shared cache, if there is one.
    func store(_ original: Original) async -> SharedStore? {
        guard let entry = original.entry, let key = originalKey, writable.contains(.originals),
            !original.forbidsStore, request.isVariant || serializer == nil
        else { return nil }
        let (serializer, url) = (serializer, request.url)
        let content = PendingStores.Content(
            byteCount: entry.data.count, entry: entry, version: entry.metadata.original,
            ticket: original.tickets.originals)
        return await store(content, at: key, in: caches.originals) { executor in
            guard let serializer else { return entry }
            return try await executor.run {
                let data = try serializer.data(for: nil, encoded: entry.data, url: url)
                return DataEntry(data ?? entry.data, metadata: entry.metadata)
            }
        }
    }

    /// Stores an encoded result in the background. Returns the store in the shared cache, if there is one.
    func storeEncodedResult(
        _ entry: DataEntry, at key: CacheKey, with tickets: StoreTickets
    ) async -> SharedStore? {
        guard request.storesEncodedResults else { return nil }
        let content = PendingStores.Content(
            byteCount: entry.data.count, entry: entry, version: entry.metadata.original,
            ticket: tickets.results)
        return await store(content, at: key, in: caches.results) { _ in entry }
    }

    /// Stores a copy of `entry`, an original found in the shared cache, in the caches of the manager.
    func storeCopy(ofOriginal entry: DataEntry, with tickets: StoreTickets) async {
        guard writable.contains(.originals), let key = originalKey else { return }
        await storeCopy(of: entry, at: key, in: caches.originals, with: tickets.originals)
    }

    /// Stores a copy of `entry`, a result found in the shared cache, in the caches of the manager.
    func storeCopy(ofResult entry: DataEntry, at key: CacheKey, with tickets: StoreTickets) async {
        guard request.context.cachePolicy.store.contains(.disk) else { return }
        await storeCopy(of: entry, at: key, in: caches.results, with: tickets.results)
    }

    /// Stores `entry`, an original that its origin server has confirmed, in the shared cache.
    func storeConfirmed(_ entry: DataEntry, with tickets: StoreTickets) async -> SharedStore? {
        guard writable.contains(.originals), let key = originalKey,
            let sharing = RequestSharing(for: request, in: pipeline)
        else { return nil }
        let (cache, ticket) = (caches.originals, tickets.originals)
        return sharing.store(entry.metadata.original, byteCount: entry.data.count, for: key) {
            await cache.isCurrent(ticket, forSource: key.source) ? entry : nil
        }
    }

    /// Starts to store `entry`, which the app provides, as the result on disk. Returns the task, whose error is that of
    /// the data cache.
    func startStore(of entry: DataEntry, with tickets: StoreTickets) -> Task<Void, any Error>? {
        guard let key, let cache = resultCache else { return nil }
        let ticket = request.isVariant ? tickets.results : tickets.originals
        let content = PendingStores.Content(
            byteCount: 0, entry: entry, version: entry.metadata.original, ticket: ticket)
        return pipeline.pendingStores.startStore(of: content, at: caches.place(of: key)) {
            // Unlike a load, which stores nothing then, the store of the app fails.
            if ticket.isRefused, try await cache.ticket(forSource: key.source).isRefused {
                throw ImageError(.refused, .cache, "the data cache stores nothing, perhaps because it may only be read")
            }
            try await cache.store(entry, for: key, with: ticket)
        }
    }

    /// Updates the metadata of a stored result after its original was confirmed to be `version`.
    func renewResult(_ entry: DataEntry, to version: OriginalVersion) async {
        if let key { await renew(entry, to: version, at: key) }
    }

    /// Updates the metadata of the result stored at `key` after its original was confirmed to be `version`.
    func renew(_ entry: DataEntry, to version: OriginalVersion, at key: CacheKey) async {
        guard entry.metadata.original != version else { return }
        var metadata = entry.metadata
        metadata.original = version
        await pipeline.attempt(key) { [metadata] in try await caches.results?.update(metadata, for: key) }
    }

    /// Replaces the metadata of the stored original.
    func updateOriginal(_ metadata: DataEntry.Metadata) async {
        guard let key = originalKey else { return }
        await pipeline.attempt(key) { try await caches.originals?.update(metadata, for: key) }
    }

    /// Removes the stored original, because it is not an image.
    func removeOriginal() async {
        guard let key = originalKey else { return }
        RequestSharing(for: request, in: pipeline)?.remove(key)
        await waitForUncheckedStores(of: key.source)
        await pipeline.attempt(key) { try await caches.originals?.remove(key) }
    }

    /// Removes the stored result, because it is not an image.
    func removeResult() async {
        guard let key else { return }
        await pipeline.attempt(key) { try await caches.results?.remove(key) }
    }

    /// Removes the result of a variant, and the file at `encodedKey` made from it, for an image that the app provides.
    /// Nothing that loads have begun to make of the source is stored any more.
    func removeResult(andFileAt encodedKey: CacheKey?) async {
        guard let key else { return }
        if let cache = caches.results {
            await waitForUncheckedStores(of: key.source, in: cache)
            for key in [encodedKey, key].compactMap(\.self) {
                await pipeline.attempt(key) { try await cache.remove(key) }
            }
        }
        caches.images?.remove(key)
    }

    /// Starts a generation after the lookups with `tickets`, and removes entries of other versions. Returns the tickets
    /// with which the response, and all results made from it, are stored.
    ///
    /// The caches follow each other in the direction in which loads copy entries. So a load that reads an old entry has
    /// taken its ticket of the next cache before the generation starts there.
    func start(_ start: GenerationStart, after tickets: StoreTickets) async -> StoreTickets {
        let originals = await ticket(of: start, in: caches.originals, after: tickets.originals)
        var results = originals
        if caches.hasOwnOriginals {
            results = await ticket(of: start, in: caches.results, after: tickets.results)
        }
        var images: StoreTicket? = .unchecked
        if let cache = caches.images {
            // Even if no data cache has the original any more, there may be images of an older one.
            images = cache.startGeneration(of: start.response, after: nil)
        }
        // A cache with the response of a later load refuses this one for all. The others remove what is older than both.
        guard let originals, let results, let images else { return .refused }
        return tickets.replacing(images: images, results: results, originals: originals)
    }

    /// Returns the tickets for `entry`, found in the shared cache by a load that has taken `tickets`; `nil` if a cache of
    /// the manager has a newer version.
    func admit(_ entry: DataEntry, after tickets: StoreTickets) async -> StoreTickets? {
        guard let key = originalKey, let version = entry.metadata.original else { return nil }
        // The newer response may be that of another original.
        if request.hasSourceOptions { return tickets }
        let response = SourceResponse(of: key, at: entry.confirmedAt, revision: version.revision)
        // It is older than the load, whose tickets therefore say nothing about it.
        let started = await start(GenerationStart(response: response, isReplaced: true, isCopy: true), after: tickets)
        return started === StoreTickets.refused ? nil : started
    }

    /// Returns whether `admit` would return tickets for `entry`, without changing anything.
    func wouldAdmit(_ entry: DataEntry) async -> Bool {
        guard let key, entry.metadata.original != nil else { return false }
        if request.hasSourceOptions { return true }
        var tickets = [caches.images?.ticket(forSource: key.source)]
        for cache in caches.data { tickets.append(try? await cache.ticket(forSource: key.source)) }
        return tickets.allSatisfy { $0?.permits(loadBegunAt: entry.confirmedAt) ?? true }
    }

    /// Starts a generation in one cache. If that fails, the ticket stays as it was.
    private func ticket(
        of start: GenerationStart, in cache: (any DataCache)?, after ticket: StoreTicket
    ) async -> StoreTicket? {
        guard let cache, let key else { return .unchecked }
        var response = start.response
        response.isReplacement = start.isReplaced
        do {
            if start.isReplaced { await waitForUncheckedStores(of: start.response.source, in: cache) }
            return try await cache.startGeneration(of: response, after: start.isCopy ? nil : ticket)
        } catch {
            // Without entries to replace, the store that follows reports the failure.
            if start.isReplaced { await pipeline.attempt(key) { throw error } }
            return ticket
        }
    }

    /// Removes the original and all results made from it. Throws if a cache cannot.
    ///
    /// Runs that began before deliver their results, but store nothing, and loads that begin now do not join them.
    func removeAll() async throws {
        if let failure = request.failure { throw failure }
        guard let source = key?.source else { return }
        pipeline.endRuns(ofSource: source)
        caches.images?.removeAll(ofSource: source)
        // Once more at the end, for images that a load has read from the data caches meanwhile.
        defer { caches.images?.removeAll(ofSource: source) }
        RequestSharing(for: request, in: pipeline)?.removeAll()
        await waitForUncheckedStores(of: source)
        for cache in caches.data.reversed() { try await cache.removeAll(ofSource: source) }
    }

    /// Waits for pending stores, which a cache without generations would not refuse.
    private func waitForUncheckedStores(of source: String) async {
        for cache in caches.data { await waitForUncheckedStores(of: source, in: cache) }
    }

    private func waitForUncheckedStores(of source: String, in cache: any DataCache) async {
        let ticket = try? await cache.ticket(forSource: source)
        if ticket?.isChecked == false { await pipeline.pendingStores.wait(forSource: source) }
    }

    private func storeCopy(
        of entry: DataEntry, at key: CacheKey, in cache: (any DataCache)?, with ticket: StoreTicket
    ) async {
        guard let cache else { return }
        let content = PendingStores.Content(
            byteCount: entry.data.count, entry: entry, version: entry.metadata.original, ticket: ticket)
        _ = pipeline.pendingStores.store(content, at: caches.place(of: key)) { [pipeline] in
            await pipeline.attempt(key) { try await cache.store(entry, for: key, with: ticket) }
        }
    }

    /// Stores `image` in the background, as the serializer encodes it, or else in the format for results.
    private func storeEncoded(
        _ image: Image, at key: CacheKey, in cache: (any DataCache)?, with ticket: StoreTicket
    ) async -> SharedStore? {
        let (encoder, clock) = (EntryEncoder(for: request, in: pipeline), clock)
        // A file of the result could not say that its original is truncated.
        guard !image.metadata.isIncomplete, encoder.canEncode else { return nil }
        let content = PendingStores.Content(
            byteCount: image.heldByteCount, version: image.metadata.original, ticket: ticket)
        return await store(content, at: key, in: cache) { executor in
            try await executor.run { try encoder.entry(of: image, clock: clock) }
        }
    }

    private func storeSerialized(
        _ image: Image, of original: Original, entry: DataEntry, with serializer: any CacheSerializer
    ) async -> SharedStore? {
        guard let key, writable.contains(.originals) else { return nil }
        let url = request.url
        let content = PendingStores.Content(
            byteCount: entry.data.count, version: entry.metadata.original, ticket: original.tickets.originals)
        return await store(content, at: key, in: caches.originals) { executor in
            try await executor.run {
                let data = try serializer.data(for: image, encoded: entry.data, url: url)
                return DataEntry(data ?? entry.data, metadata: entry.metadata)
            }
        }
    }

    /// Stores the entry that `make` returns, in the background. `content` is known in advance. Returns the store in the
    /// shared cache, if there is one.
    private func store(
        _ content: PendingStores.Content, at key: CacheKey, in cache: (any DataCache)?,
        making make: @escaping @Sendable (WorkExecutor) async throws -> DataEntry?
    ) async -> SharedStore? {
        let sharing = RequestSharing(for: request, in: pipeline)
        guard cache != nil || sharing != nil else { return nil }
        let place = caches.place(of: key)
        var content = content
        // Nobody looks for it there.
        if place.isOfContext { content.entry = nil }
        let made = FirstValue<DataEntry>()
        let isStarted = pipeline.pendingStores.store(content, at: place) { [pipeline, content] in
            defer { made.offer(nil) }
            await pipeline.attempt(key) {
                guard let entry = try await make(pipeline.components.workExecutor) else { return }
                made.offer(entry)
                try await cache?.store(entry, for: key, with: content.ticket)
            }
        }
        guard isStarted else {
            await pipeline.attempt(key) { () throws -> Void in throw ImageError.tooManyPendingStores }
            return nil
        }
        return sharing?.store(content.version, byteCount: content.byteCount, for: key) { [content] in
            guard let entry = await made.value, await cache.isCurrent(content.ticket, forSource: key.source) else {
                return nil
            }
            return entry
        }
    }

    /// The key of the result; `nil` if a key filter excludes the request from all caches.
    private var key: CacheKey? { request.key }

    /// The key of the original; `nil` if a key filter excludes the request from all caches.
    private var originalKey: CacheKey? { request.originalKey }

    /// The cache of the result on disk, if it is stored there. The result of a plain load is the original.
    private var resultCache: (any DataCache)? {
        guard request.isVariant else { return writable.contains(.originals) ? caches.originals : nil }
        return writable.contains(.results) ? caches.results : nil
    }

    private var serializer: (any CacheSerializer)? { pipeline.serializer(for: request) }
}

extension (any DataCache)? {
    /// Returns whether the source has the generation of `ticket`.
    fileprivate func isCurrent(_ ticket: StoreTicket, forSource source: String) async -> Bool {
        guard let cache = self else { return true }
        return (try? await cache.ticket(forSource: source))?.isOfSameGeneration(as: ticket) ?? false
    }
}

extension DataEntry {
    /// The moment at which an origin server has sent or confirmed it.
    fileprivate var confirmedAt: LoadMoment {
        LoadMoment(metadata.original?.freshness?.confirmedAt ?? metadata.storedAt)
    }
}

/// A generation that is started in all caches.
struct GenerationStart {
    let response: SourceResponse
    /// Whether the response replaces an original that its load has found.
    let isReplaced: Bool
    /// Whether it is a response of another node, found in the shared cache.
    var isCopy = false
}

extension ImageError {
    static let tooManyPendingStores = ImageError(
        .busy, .cache, "the entry is not stored, because too many bytes wait to be stored already")
}
