import DarkroomPlatform

/// The caches of one run: those of the context of its request, or else those of the manager, with the rules of their use.
///
/// Loads, `explain`, `isCached`, prefetching and deadlines all use it, so that they cannot disagree.
struct RequestCaches: Sendable {
    let request: Request
    let rules: CacheRules
    let images: ImageSlot
    /// The data cache of results.
    let results: DataSlot
    /// The data cache of originals, which is that of results unless they have one of their own.
    let originals: DataSlot
    /// The shared cache; `nil` if the request does not use one.
    let shared: SharedSlot?
    let reads: CacheTiers
    let writes: CacheTiers

    /// Whether originals have a data cache of their own.
    private let separatesOriginals: Bool

    init(for request: Request, in manager: ManagerCaches) {
        let (context, components) = (request.context, manager.components)
        let rules = CacheRules(request: request, manager: manager)
        self.request = request
        self.rules = rules
        images = ImageSlot(rules)
        results = DataSlot(rules.resultCache, isOfContext: context.dataCache != nil, rules)
        // A request with a cache of its own leaves nothing in those of the manager.
        let separate = context.originalCache ?? (context.dataCache == nil ? components.originalCache : nil)
        separatesOriginals = separate != nil
        originals = separate.map { DataSlot($0, isOfContext: context.originalCache != nil, rules) } ?? results
        shared = SharedSlot(rules)
        reads = CacheTiers(readBy: request)
        writes = CacheTiers(writtenBy: request)
    }
}

// The links of the chain.
extension RequestCaches {
    /// The original; `nil` if a key filter excludes the request from all caches.
    var original: Artifact? {
        request.originalKey.map { key in
            let isRead = reads.contains(.originals)
            return Artifact(
                kind: .original, key: key, slot: originals, isRead: isRead, isStored: writes.contains(.originals),
                shared: isRead ? shared : nil)
        }
    }

    /// The result; `nil` if the data caches are not searched for it, such as that of a plain load, which is the original.
    var result: Artifact? {
        guard reads.contains(.results), let key = request.key else { return nil }
        return Artifact(
            kind: .result, key: key, slot: results, isRead: true,
            isStored: request.context.cachePolicy.store.contains(.disk),
            shared: request.sharesResult ? shared : nil)
    }

    /// Returns the file at `key`, which is made of the result.
    func file(at key: CacheKey) -> Artifact {
        let isRead = request.readsEncodedResults
        return Artifact(
            kind: .file, key: key, slot: results, isRead: isRead, isStored: request.storesEncodedResults,
            shared: isRead ? shared : nil)
    }
}

// Lookups.
extension RequestCaches {
    /// Takes the tickets of all caches, and then looks up `artifact` in its data cache.
    ///
    /// The tickets are taken against the direction in which loads copy entries: those of images, of the other data cache,
    /// and then that of the artifact.
    func find(_ artifact: Artifact?, _ trace: LoadTrace, _ memory: TransferMemory) async -> Lookup {
        guard let artifact else { return Lookup(tickets: .refused) }
        guard artifact.isRead else { return Lookup(tickets: await takeTickets()) }
        let (source, isOriginal) = (artifact.key.source, artifact.kind == .original)
        let images = images.ticket(forSource: source)
        let other = separatesOriginals ? await (isOriginal ? results : originals).ticket(forSource: source) : nil
        let memory = awaited(memory)
        let (own, entry) = await artifact.slot.find(artifact.key, trace, memory)
        let tickets = tickets(
            images: images, results: isOriginal ? other ?? own : own, originals: isOriginal ? own : other ?? own)
        guard let entry, artifact.accepts(entry) else {
            memory?.release()
            return Lookup(tickets: tickets)
        }
        let verdict = rules.verdict(on: entry.metadata.original)
        return Lookup(
            tickets: tickets, found: Found(entry: entry, verdict: verdict, origin: .disk, tickets: tickets))
    }

    /// The memory for which lookups wait: none while the original of several sizes keeps its own, until this one, too, is done.
    private func awaited(_ memory: TransferMemory) -> TransferMemory? {
        request.sharedDecode?.decoded == nil ? memory : nil
    }

    /// Looks up `artifact` in the shared cache, after the `lookup` in the data caches.
    func findShared(
        _ artifact: Artifact, after lookup: Lookup, _ trace: LoadTrace, _ memory: TransferMemory
    ) async -> Found? {
        memory.beginTransfer()
        guard let entry = await artifact.shared?.entry(of: artifact, trace, awaited(memory)) else { return nil }
        let verdict = rules.verdict(on: entry.metadata.original)
        return Found(entry: entry, verdict: verdict, origin: .sharedCache, tickets: lookup.tickets)
    }

    /// Returns what was found, to be used in place of `error`, which occurred on revalidation, if that is allowed.
    func stale(_ found: Found?, after error: ImageError) -> Found? {
        guard var found, rules.allowsStale(found.entry.metadata.original, after: error) else { return nil }
        found.verdict = .staleOnError(error.cause.kind)
        return found
    }

    /// Returns the decoded original in memory, if a variant may be made from it now.
    func decodedOriginal() async -> Original? {
        guard let (image, verdict) = images.original() else { return nil }
        if !images.isOfContext, let tickets = tickets(of: image) {
            return Original(image, decision: verdict).storing(with: tickets)
        }
        // Other tickets must have been taken before the image is read.
        let taken = await takeTickets()
        guard let (image, verdict) = images.original() else { return nil }
        return Original(image, decision: verdict).storing(with: tickets(forResultsOf: image, taken: taken))
    }
}

// Tickets.
extension RequestCaches {
    /// Takes the tickets of all caches, for a load that is about to read them. Nothing is stored in a cache that fails.
    func takeTickets() async -> StoreTickets {
        guard let source = request.key?.source else { return .refused }
        let images = images.ticket(forSource: source)
        let results = await results.ticket(forSource: source)
        let originals = separatesOriginals ? await originals.ticket(forSource: source) : results
        return tickets(images: images, results: results, originals: originals)
    }

    /// Returns the tickets of the load that made `result`, or stored it in memory, if they are for the caches of this
    /// request.
    func tickets(of result: LoadResult) -> StoreTickets? {
        result.origin == .memory ? tickets(of: result.image) : result.image.metadata.tickets
    }

    /// Starts the generation of `response` after the lookups with `tickets`, and removes entries of other versions.
    /// Returns the tickets with which the response, and all results made from it, are stored. `isCopy` is that of a
    /// response of another node.
    ///
    /// The caches follow each other in the direction in which loads copy entries. So a load that reads an old entry has
    /// taken its ticket of the next cache before the generation starts there.
    func start(_ response: SourceResponse, after tickets: StoreTickets, isCopy: Bool = false) async -> StoreTickets {
        let originals = await originals.start(
            response, after: isCopy ? nil : tickets.originals, unchanged: tickets.originals)
        var results = originals
        if separatesOriginals {
            results = await self.results.start(
                response, after: isCopy ? nil : tickets.results, unchanged: tickets.results)
        }
        // Even if no data cache has the original any more, there may be images of an older one.
        let images = images.cache.map { $0.startGeneration(of: response, after: nil) } ?? .unchecked
        // A cache with the response of a later load refuses this one for all. The others remove what is older than both.
        guard let originals, let results, let images else { return .refused }
        return tickets.replacing(images: images, results: results, originals: originals)
    }

    /// Returns `found`, an entry of the shared cache, with the tickets for it; `nil` if a cache of the manager has a newer
    /// version.
    func admit(_ found: Found) async -> Found? {
        guard let response = response(of: found.entry) else { return nil }
        // The newer response may be that of another original.
        if request.hasSourceOptions { return found }
        // It is older than the load, whose tickets therefore say nothing about it.
        let tickets = await start(response, after: found.tickets, isCopy: true)
        guard tickets !== StoreTickets.refused else { return nil }
        var found = found
        found.tickets = tickets
        return found
    }

    /// Returns whether `admit` would return `entry`, without changing anything.
    func wouldAdmit(_ entry: DataEntry) async -> Bool {
        guard let response = response(of: entry) else { return false }
        if request.hasSourceOptions { return true }
        if let cache = images.cache,
            !cache.ticket(forSource: response.source).permits(loadBegunAt: response.moment)
        {
            return false
        }
        for slot in data where await !slot.permits(response.source, loadBegunAt: response.moment) { return false }
        return true
    }

    /// The data caches that may have entries of the request.
    var data: [DataSlot] { separatesOriginals ? [results, originals] : [results] }

    /// Returns `entry`, found in the shared cache, as a response of the moment at which its origin server has sent or
    /// confirmed it.
    private func response(of entry: DataEntry) -> SourceResponse? {
        guard let key = request.originalKey, let version = entry.metadata.original else { return nil }
        let moment = LoadMoment(version.freshness?.confirmedAt ?? entry.metadata.storedAt)
        var response = SourceResponse(of: key, at: moment, revision: version.revision)
        response.isReplacement = true
        return response
    }

    /// Returns the tickets of the load that stored `image`, if they are for the caches of this request.
    private func tickets(of image: Image) -> StoreTickets? {
        guard let tickets = image.metadata.tickets, request.context.usesCommonDataCaches,
            tickets.belong(to: rules.manager)
        else { return nil }
        return tickets
    }

    /// Returns the tickets for results of `image`, a decoded original in memory: those of the load that stored it, or else
    /// `taken`, which this load has taken before.
    private func tickets(forResultsOf image: Image, taken: StoreTickets) -> StoreTickets {
        guard let tickets = tickets(of: image) else { return taken }
        // The load that stored it may have had another cache for its results.
        guard images.isOfContext else { return tickets }
        return tickets.replacing(images: taken.images, results: tickets.results, originals: tickets.originals)
    }

    private func tickets(images: StoreTicket, results: StoreTicket, originals: StoreTicket) -> StoreTickets {
        StoreTickets(
            images: images, results: results, originals: originals,
            owner: request.context.usesCommonDataCaches ? rules.manager : nil)
    }
}
