import DarkroomPlatform
import Synchronization

/// A data cache of one request, with the entries that are being stored there.
///
/// An error of the cache counts as a miss, or means that nothing is stored. It is reported to the observers.
struct DataSlot: Sendable {
    let cache: (any DataCache)?

    /// Whether it is a cache of the context, of which there may be several, and not one of the manager.
    private let isOfContext: Bool
    private let rules: CacheRules

    init(_ cache: (any DataCache)?, isOfContext: Bool, _ rules: CacheRules) {
        self.cache = cache
        self.isOfContext = isOfContext
        self.rules = rules
    }

    private var manager: ManagerCaches { rules.manager }
}

// Lookups.
extension DataSlot {
    /// Takes a ticket of the cache, and then returns the entry of `key` in it, or pending there. A large one is read when there
    /// is `memory`.
    func find(
        _ key: CacheKey, _ trace: LoadTrace, _ memory: TransferMemory?
    ) async -> (ticket: StoreTicket, entry: DataEntry?) {
        guard let cache else { return (.unchecked, nil) }
        if let (content, ticket) = await pending(key), let entry = content.entry {
            return (ticket, permitted(entry))
        }
        let lookup = await trace.measure(.disk) {
            await EntryMemory.$current.withValue(EntryMemory(memory)) { await cache.lookUp(key) }
        }
        let entry = await manager.attempt(key, isRead: true) { try lookup.entry.get() } ?? nil
        return (lookup.ticket, permitted(entry))
    }

    /// Looks up the entry that `artifact` is, without changing anything.
    func peek(at artifact: Artifact) async -> CacheFinding {
        guard artifact.isRead, let cache else { return .notRead }
        var entry = await pending(artifact.key)?.content.entry
        if entry == nil { entry = (try? await cache.peek(at: artifact.key)) ?? nil }
        guard let entry, artifact.accepts(entry) else { return .miss }
        return rules.finding(entry.metadata.original)
    }

    /// Returns whether an entry of `key` that the request may use is being stored.
    func isStoring(_ key: CacheKey) async -> Bool {
        guard let content = await pending(key)?.content else { return false }
        return rules.permits(content.version)
    }

    /// Returns the content being stored under `key` and the current ticket of its source, unless that was replaced or
    /// removed since.
    private func pending(_ key: CacheKey) async -> (content: PendingStores.Content, ticket: StoreTicket)? {
        // Another context may have another cache.
        guard let cache, !isOfContext, let content = manager.pendingStores.content(at: place(of: key)),
            let ticket = try? await cache.ticket(forSource: key.source), !ticket.isRefused,
            content.ticket.isOfSameGeneration(as: ticket)
        else { return nil }
        return (content, ticket)
    }

    private func permitted(_ entry: DataEntry?) -> DataEntry? {
        entry.flatMap { rules.permits($0.metadata.original) ? $0 : nil }
    }

    private func place(of key: CacheKey) -> PendingStores.Place {
        PendingStores.Place(key: key, isOfContext: isOfContext)
    }
}

// Tickets.
extension DataSlot {
    /// Returns a ticket for what is made of `source`. Nothing is stored in a cache that fails.
    func ticket(forSource source: String) async -> StoreTicket {
        guard let cache else { return .unchecked }
        return (try? await cache.ticket(forSource: source)) ?? .refused
    }

    /// Returns whether the source has the generation of `ticket`.
    func isCurrent(_ ticket: StoreTicket, forSource source: String) async -> Bool {
        guard let cache else { return !ticket.isRefused }
        return (try? await cache.ticket(forSource: source))?.isOfSameGeneration(as: ticket) ?? false
    }

    /// Returns whether the cache would store what a load of `source` that has begun at `moment` replaces.
    func permits(_ source: String, loadBegunAt moment: LoadMoment) async -> Bool {
        guard let cache, let ticket = try? await cache.ticket(forSource: source) else { return true }
        return ticket.permits(loadBegunAt: moment)
    }

    /// Starts the generation of `response` after a lookup with `ticket`; `nil` for a copy of what another node has loaded.
    /// Returns its ticket; `nil` if there is a newer one. If the cache fails, that is `unchanged`.
    func start(
        _ response: SourceResponse, after ticket: StoreTicket?, unchanged: StoreTicket
    ) async -> StoreTicket? {
        guard let cache else { return .unchecked }
        do {
            if response.isReplacement { await waitForUncheckedStores(of: response.source) }
            return try await cache.startGeneration(of: response, after: ticket)
        } catch {
            // Without entries to replace, the store that follows reports the failure.
            if response.isReplacement { manager.reportFailure(of: response.original)(error) }
            return unchanged
        }
    }

    /// Waits for the stores of `source`, which a cache without generations would not refuse.
    func waitForUncheckedStores(of source: String) async {
        let ticket = try? await cache?.ticket(forSource: source)
        if ticket?.isChecked == false { await manager.pendingStores.wait(forSource: source) }
    }
}

// Stores.
extension DataSlot {
    /// Starts to store the entry that `make` returns under `key`. `content` is known in advance.
    ///
    /// Returns the entry, once it is made; `nil` if too many bytes are pending to store it.
    func store(
        _ content: PendingStores.Content, at key: CacheKey,
        making make: @escaping @Sendable (WorkExecutor) async throws -> DataEntry?
    ) -> FirstValue<DataEntry>? {
        var content = content
        // Nobody looks for it there.
        if isOfContext { content.entry = nil }
        let made = FirstValue<DataEntry>()
        let isStarted = manager.pendingStores.store(content, at: place(of: key)) { [manager, cache, content] in
            defer { made.offer(nil) }
            await manager.attempt(key) {
                guard let entry = try await make(manager.components.workExecutor) else { return }
                made.offer(entry)
                try await cache?.store(entry, for: key, with: content.ticket)
            }
        }
        if isStarted { return made }
        manager.reportFailure(of: key)(ImageError.tooManyPendingStores)
        return nil
    }

    /// Starts to store `entry`, which the app provides. Returns the task, whose error is that of the cache.
    func startStore(of entry: DataEntry, at key: CacheKey, with ticket: StoreTicket) -> Task<Void, any Error>? {
        guard let cache else { return nil }
        let content = PendingStores.Content(
            byteCount: 0, entry: entry, version: entry.metadata.original, ticket: ticket)
        return manager.pendingStores.startStore(of: content, at: place(of: key)) {
            // Unlike a load, which stores nothing then, the store of the app fails.
            if ticket.isRefused, try await cache.ticket(forSource: key.source).isRefused {
                throw ImageError(.refused, .cache, "the data cache stores nothing, perhaps because it may only be read")
            }
            try await cache.store(entry, for: key, with: ticket)
        }
    }

    /// Starts to store `entry`, a copy of one in the shared cache.
    func storeCopy(of entry: DataEntry, at key: CacheKey, with ticket: StoreTicket) {
        guard let cache else { return }
        let content = PendingStores.Content(
            byteCount: entry.data.count, entry: entry, version: entry.metadata.original, ticket: ticket)
        _ = manager.pendingStores.store(content, at: place(of: key)) { [manager] in
            await manager.attempt(key) { try await cache.store(entry, for: key, with: ticket) }
        }
    }

    /// Replaces the metadata of the entry of `key`.
    func update(_ metadata: DataEntry.Metadata, at key: CacheKey) async {
        await manager.attempt(key) { try await cache?.update(metadata, for: key) }
    }

    /// Removes the entry of `key`.
    func remove(_ key: CacheKey) async { await manager.attempt(key) { try await cache?.remove(key) } }
}

extension ImageError {
    static let tooManyPendingStores = ImageError(
        .busy, .cache, "the entry is not stored, because too many bytes wait to be stored already")
}
