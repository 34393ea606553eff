import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The caches as one request may use them. It decides once which tiers are read.
///
/// Loads, `explain`, `isCached`, prefetching and deadlines all use it, so that they cannot disagree. An error of a data
/// cache counts as a miss, and loads report it to the observers.
struct RequestCaches: Sendable {
    private let request: Request
    private let pipeline: LoadPipeline
    private let caches: CacheSet
    private let readable: CacheTiers

    init(for request: Request, in pipeline: LoadPipeline) {
        self.request = request
        self.pipeline = pipeline
        caches = CacheSet(for: request, in: pipeline)
        readable = CacheTiers(readBy: request)
    }

    /// The writer that stores and removes results and originals of the request.
    var writer: CacheWriter { writer(clock: nil) }

    /// Returns a writer whose encoding is timed by `clock`.
    func writer(clock: WorkClock?) -> CacheWriter { CacheWriter(for: request, in: pipeline, clock: clock) }

    /// The shared cache for the originals of the request; `nil` if it does not use one.
    var sharedOriginals: RequestSharing? {
        readable.contains(.originals) ? RequestSharing(for: request, in: pipeline) : nil
    }

    /// The shared cache for the results of the request, which differ from the original; `nil` if it does not use one.
    var sharedResults: RequestSharing? {
        readable.contains(.results) && request.sharesResult ? RequestSharing(for: request, in: pipeline) : nil
    }

    /// The shared cache for the encoded results of the request; `nil` if it does not use one.
    var sharedFiles: RequestSharing? {
        request.readsEncodedResults ? RequestSharing(for: request, in: pipeline) : nil
    }

    /// The key of the result; `nil` if a key filter excludes the request from all caches.
    private var key: CacheKey? { request.key }

    /// The key of the original; `nil` if a key filter excludes the request from all caches.
    private var originalKey: CacheKey? { request.originalKey }
}

// Lookups.
extension RequestCaches {
    /// The finding of a lookup in one tier.
    enum Finding {
        /// The request must not read this tier.
        case notRead
        case miss
        /// An entry that the loader of the request could not have reached by the same route, which counts as a miss.
        case withheld
        /// An entry of the shared cache that is older than what a cache of the manager has had, which counts as a miss.
        case outdated
        /// An entry of this version, and the verdict on it.
        case entry(OriginalVersion?, CacheDecision)

        /// The verdict on the entry, if one was found.
        var verdict: CacheDecision? { if case .entry(_, let verdict) = self { verdict } else { nil } }

        /// Whether the entry may be used now, or after its origin server confirms it.
        var isUsableOnceFresh: Bool { verdict.map { ![.localChanged, .varies].contains($0) } ?? false }
    }

    /// Looks up the entry in `tier`, without decoding or changing anything.
    func peek(into tier: CacheTiers) async -> Finding {
        guard readable.contains(tier), let key else { return .notRead }
        switch tier {
        case .memory: return finding(resultInMemory, in: caches.images)
        case .decodedOriginals: return finding(caches.images?.image(for: originalKey ?? key), in: caches.images)
        case .results: return await peek(into: caches.results, at: key)
        default: return await peek(into: caches.originals, at: originalKey ?? key)
        }
    }

    /// Looks up the entry of `key` in the shared cache, without copying it. With `isFile`, other entries count as misses.
    func peek(into sharing: RequestSharing?, at key: CacheKey, isFile: Bool = false) async -> Finding {
        guard let sharing else { return .notRead }
        guard let entry = await sharing.peek(at: key), !isFile || entry.metadata.file != nil else { return .miss }
        let finding = finding(entry.metadata.original)
        guard finding.verdict?.allowsUse == true, await !writer.wouldAdmit(entry) else { return finding }
        return .outdated
    }

    /// Returns the image in memory that may be used without waiting, with the verdict that allows it.
    func usableImage() -> (image: Image, verdict: CacheDecision)? {
        guard let image = imageInMemory() else { return nil }
        let verdict = verdict(on: image.metadata.original)
        return verdict.allowsUse ? (image, verdict) : nil
    }

    /// Returns whether a readable cache has the result, fresh or stale, of the current local version and for the same
    /// header fields.
    func containsResult() async -> Bool {
        guard request.context.cacheUse.prefersCaches else { return false }
        if await peek(into: .memory).isUsableOnceFresh { return true }
        if await isStoringResult() { return true }
        return await peek(into: request.isVariant ? .results : .originals).isUsableOnceFresh
    }

    /// Returns the result in memory, if it may be used without waiting. A stale one is revalidated in the background.
    func memoryHit() -> LoadResult? {
        resultInMemory.flatMap(hit)
    }

    /// Returns the result for `image`, found in memory; `nil` if it may not be used without waiting.
    func hit(_ image: Image) -> LoadResult? {
        guard permits(image.metadata.original) else { return nil }
        let verdict = verdict(on: image.metadata.original)
        guard verdict.allowsUse else { return nil }
        if case .staleWhileRevalidating = verdict { pipeline.revalidate(request) }
        return LoadResult(
            url: request.url, image: image.scaled(request.context.scale), key: key, origin: .memory,
            isStale: verdict.isStale,
            report: LoadReport(decision: verdict))
    }

    /// Returns the image in memory, however old.
    func imageInMemory() -> Image? {
        resultInMemory.flatMap { permits($0.metadata.original) ? $0 : nil }
    }

    /// Returns all images in memory made from the same source.
    func imagesOfSource() -> [(key: CacheKey, image: Image)] {
        guard readable.contains(.memory), let key else { return [] }
        return caches.images?.images(ofSource: key.source).filter { permits($0.1.metadata.original) } ?? []
    }

    /// Returns the image in memory in place of `error`, which occurred on revalidation, if that is allowed.
    func staleImage(after error: ImageError) -> LoadResult? {
        guard let image = imageInMemory(), allowsStale(image.metadata.original, after: error) else { return nil }
        return LoadResult(
            url: request.url, image: image, key: key, origin: .memory, isStale: true,
            report: LoadReport(decision: .staleOnError(error.cause.kind)))
    }

    /// Returns the decoded original in memory, if a variant may be made from it now.
    func decodedOriginal() async -> Original? {
        guard let (image, verdict) = usableOriginalImage() else { return nil }
        if !caches.hasOwnImages, let tickets = tickets(of: image) {
            return Original(image, decision: verdict).storing(with: tickets)
        }
        // Other tickets must have been taken before the image is read.
        let taken = await takeTickets()
        guard let (image, verdict) = usableOriginalImage() else { return nil }
        return Original(image, decision: verdict).storing(with: tickets(forResultsOf: image, taken: taken))
    }

    /// Returns the image in memory made from the version just confirmed, and updates its freshness.
    func confirmedImage(of original: Original) -> Image? {
        guard !original.forbidsStore, let version = original.version, let key, var image = imageInMemory(),
            image.metadata.original?.revision == version.revision
        else { return nil }
        image.metadata.original = version
        image.metadata.tickets = original.tickets
        caches.images?.store(image, for: key, with: original.tickets.images)
        return image
    }

    /// Returns the encoded result at `key` without waiting, if it is in memory.
    func encodedResultInMemory(at key: CacheKey) -> DataEntry? {
        guard request.readsEncodedResults, let cache = caches.results else { return nil }
        guard let entry = cache.entryInMemory(for: key) else { return nil }
        return permits(entry.original) ? entry : nil
    }

    /// Returns the encoded result at `key` from the data cache, or pending there.
    func encodedResult(at key: CacheKey, _ trace: LoadTrace) async -> DataEntry? {
        guard request.readsEncodedResults else { return nil }
        return await entry(for: key, in: caches.results, trace)
    }

    /// Looks up the encoded result at `key`, without changing anything.
    func peekAtEncodedResult(at key: CacheKey) async -> Finding {
        guard request.readsEncodedResults else { return .notRead }
        return await peek(into: caches.results, at: key, isFile: true)
    }

    /// Returns the decoded original in memory, if a variant may be made from it now.
    private func usableOriginalImage() -> (image: Image, verdict: CacheDecision)? {
        guard readable.contains(.decodedOriginals), let key = originalKey, let image = image(at: key) else {
            return nil
        }
        let verdict = verdict(on: image.metadata.original)
        if case .staleWhileRevalidating = verdict { return nil }
        return verdict.allowsUse ? (image, verdict) : nil
    }

    /// Whether a store of the result is pending in a tier that the request reads.
    private func isStoringResult() async -> Bool {
        guard let key, readable.contains(request.isVariant ? .results : .originals),
            let cache = request.isVariant ? caches.results : caches.originals,
            let store = await pendingStore(of: key, in: cache)
        else { return false }
        return permits(store.content.version)
    }

    /// Returns the content being stored under `key` and the current ticket of its source, unless that was replaced or
    /// removed since.
    private func pendingStore(
        of key: CacheKey, in cache: any DataCache
    ) async -> (content: PendingStores.Content, ticket: StoreTicket)? {
        let place = caches.place(of: key)
        // Another context may have another cache.
        guard !place.isOfContext, let content = pipeline.pendingStores.content(at: place),
            let ticket = try? await cache.ticket(forSource: key.source), !ticket.isRefused,
            content.ticket.isOfSameGeneration(as: ticket)
        else { return nil }
        return (content, ticket)
    }

    private func finding(_ version: OriginalVersion?) -> Finding {
        permits(version) ? .entry(version, verdict(on: version)) : .withheld
    }

    private func image(at key: CacheKey) -> Image? {
        caches.images?.image(for: key).flatMap { permits($0.metadata.original) ? $0 : nil }
    }

    private func finding(_ image: Image?, in cache: (any ImageCache)?) -> Finding {
        guard cache != nil else { return .notRead }
        return image.map { finding($0.metadata.original) } ?? .miss
    }

    /// The result in memory, whether or not it may be used. An animation that is not to be transformed is found as the
    /// result of the same request without transformers.
    private var resultInMemory: Image? {
        guard readable.contains(.memory), let key, let cache = caches.images else { return nil }
        guard let untransformedKey = request.untransformedAnimationKey else { return cache.image(for: key) }
        if let image = cache.image(for: key), image.animation == nil { return image }
        return cache.image(for: untransformedKey).flatMap { $0.animation == nil ? nil : $0 }
    }

    /// Takes the ticket of `cache`, and then returns the entry of `key` in it, or pending there.
    private func lookUp(
        _ key: CacheKey, in cache: (any DataCache)?, _ trace: LoadTrace
    ) async -> (ticket: StoreTicket, entry: DataEntry?) {
        guard let cache else { return (.unchecked, nil) }
        if let (store, ticket) = await pendingStore(of: key, in: cache), let entry = store.entry {
            return (ticket, permits(entry.metadata.original) ? entry : nil)
        }
        let lookup = await trace.measure(.disk) { await cache.lookUp(key) }
        let entry = await pipeline.attempt(key, isRead: true) { try lookup.entry.get() } ?? nil
        return (lookup.ticket, entry.flatMap { permits($0.metadata.original) ? $0 : nil })
    }

    private func peek(into cache: (any DataCache)?, at key: CacheKey, isFile: Bool = false) async -> Finding {
        guard let cache else { return .notRead }
        var entry = await pendingStore(of: key, in: cache)?.content.entry
        if entry == nil { entry = (try? await cache.peek(at: key)) ?? nil }
        guard let entry, !isFile || entry.metadata.file != nil else { return .miss }
        return finding(entry.metadata.original)
    }

    private func entry(for key: CacheKey, in cache: (any DataCache)?, _ trace: LoadTrace) async -> DataEntry? {
        guard let cache else { return nil }
        if let entry = await pendingStore(of: key, in: cache)?.content.entry {
            return permits(entry.metadata.original) ? entry : nil
        }
        let entry = await trace.measure(.disk) {
            await pipeline.attempt(key, isRead: true) { try await cache.entry(for: key) } ?? nil
        }
        return entry.flatMap { permits($0.metadata.original) ? $0 : nil }
    }
}

// Tickets.
extension RequestCaches {
    /// Whether the request reads results from the data cache.
    var readsResults: Bool { readable.contains(.results) }

    /// Takes the tickets of all caches, for a load that is about to read them. Nothing is stored in a cache that fails.
    func takeTickets() async -> StoreTickets {
        guard let source = key?.source else { return .refused }
        let images = imageTicket(forSource: source)
        let results = await ticket(of: caches.results, forSource: source)
        let originals = caches.hasOwnOriginals ? await ticket(of: caches.originals, forSource: source) : results
        return tickets(images: images, results: results, originals: originals)
    }

    /// Takes the tickets of all caches, and then returns the result on disk, or pending there.
    func lookUpResult(_ trace: LoadTrace) async -> (tickets: StoreTickets, entry: DataEntry?) {
        guard let key, readsResults else { return (await takeTickets(), nil) }
        let images = imageTicket(forSource: key.source)
        let originals = caches.hasOwnOriginals ? await ticket(of: caches.originals, forSource: key.source) : nil
        let (results, entry) = await lookUp(key, in: caches.results, trace)
        return (tickets(images: images, results: results, originals: originals ?? results), entry)
    }

    /// Takes the tickets of all caches, and then returns the original on disk, or pending there.
    func lookUpOriginal(_ trace: LoadTrace) async -> (tickets: StoreTickets, entry: DataEntry?) {
        guard let key = originalKey, readable.contains(.originals) else { return (await takeTickets(), nil) }
        let images = imageTicket(forSource: key.source)
        let results = caches.hasOwnOriginals ? await ticket(of: caches.results, forSource: key.source) : nil
        let (originals, entry) = await lookUp(key, in: caches.originals, trace)
        return (tickets(images: images, results: results ?? originals, originals: originals), entry)
    }

    /// Returns the tickets of the load that stored `image`, if they are for the caches of this request.
    func tickets(of image: Image) -> StoreTickets? {
        guard let tickets = image.metadata.tickets, caches.areShared, tickets.belong(to: pipeline) else { return nil }
        return tickets
    }

    /// Returns the tickets for results of `image`, a decoded original in memory: those of the load that stored it, or else
    /// `taken`, which this load has taken before.
    private func tickets(forResultsOf image: Image, taken: StoreTickets) -> StoreTickets {
        guard let tickets = tickets(of: image) else { return taken }
        // The load that stored it may have had another cache for its results.
        guard caches.hasOwnImages else { return tickets }
        return tickets.replacing(images: taken.images, results: tickets.results, originals: tickets.originals)
    }

    /// Returns the tickets of the load that made `result`, or stored it in memory, if they are for the caches of this
    /// request.
    func tickets(of result: LoadResult) -> StoreTickets? {
        result.origin == .memory ? tickets(of: result.image) : result.image.metadata.tickets
    }

    private func tickets(images: StoreTicket, results: StoreTicket, originals: StoreTicket) -> StoreTickets {
        StoreTickets(
            images: images, results: results, originals: originals, owner: caches.areShared ? pipeline : nil)
    }

    private func imageTicket(forSource source: String) -> StoreTicket {
        caches.images?.ticket(forSource: source) ?? .unchecked
    }

    private func ticket(of cache: (any DataCache)?, forSource source: String) async -> StoreTicket {
        guard let cache else { return .unchecked }
        return (try? await cache.ticket(forSource: source)) ?? .refused
    }
}

// Verdicts.
extension RequestCaches: FreshnessContext {
    var context: ImageContext { request.context }

    var localRevision: String? { request.loader?.localVersion(of: request.url) }

    func isCurrentLocally(_ revision: String) -> Bool {
        let interval = request.context.localCheckInterval
        guard interval > .zero else { return localRevision == revision }
        let now = pipeline.components.now()
        if request.loaderMemo.withLock({ $0.isCurrent(revision, at: now, within: interval) }) { return true }
        guard localRevision == revision else { return false }
        request.loaderMemo.withLock { $0.add(localRevision: revision, at: now) }
        return true
    }

    var requestFields: [String: String] {
        let loadRequest = LoadRequest(url: request.url, context: request.context)
        return request.loader?.requestFields(for: loadRequest) ?? [:]
    }

    /// Returns whether the request may use an entry made from `version`, which it could have loaded itself.
    func permits(_ version: OriginalVersion?) -> Bool { pipeline.permits(version, for: request) }

    /// Returns the verdict on an entry made from `version`.
    func verdict(on version: OriginalVersion?) -> CacheDecision {
        version.verdict(for: self, at: pipeline.components.now())
    }

    /// Returns whether an entry made from `version` may be used in place of `error`, which occurred on revalidation.
    func allowsStale(_ version: OriginalVersion?, after error: ImageError) -> Bool {
        version.allowsUse(after: error, for: self, at: pipeline.components.now())
    }
}
