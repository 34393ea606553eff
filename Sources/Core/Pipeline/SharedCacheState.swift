import DarkroomPlatform
import Synchronization

/// The state of the shared cache that all loads of a manager have in common: its stores and removals in flight.
final class SharedCacheState: Sendable {
    fileprivate struct State {
        /// The times at which sources were removed. Entries that were stored earlier count as misses: a removal may
        /// still be in flight, or have failed.
        var removals: [String: Date] = [:]
        /// The time at which everything was removed.
        var clearing = Date.distantPast
        /// The generations that removals end. They do not depend on the data caches, of which there may be none.
        var generations = SourceGenerations()
        /// The number of stores that have ended with success.
        var storedCount = 0
    }

    /// The number of removed sources that are remembered.
    private static let removalLimit = 4096

    let options: SharedCaching
    private let stores: PendingStores
    /// The removals in flight of each source. That of everything, which has an empty source, may take long, so neither stores nor
    /// other removals wait for it.
    private let removals = PendingStores()
    private let state = Mutex(State())

    init(_ options: SharedCaching) {
        self.options = options
        stores = PendingStores(byteLimit: options.pendingByteLimit)
    }

    /// Returns whether `entry` was stored before its source was removed.
    func isRemoved(_ entry: DataEntry, for key: CacheKey) -> Bool {
        let removal = state.withLock { max($0.clearing, $0.removals[key.source] ?? .distantPast) }
        return entry.metadata.storedAt <= removal
    }

    /// Returns a ticket for what is made of `source`, which a removal ends.
    func ticket(forSource source: String) -> StoreTicket {
        state.withLock { $0.generations.ticket(forSource: source) }
    }

    /// Makes entries of `source`, or all if it is `nil`, count as misses if they were stored before `date`. Runs that have begun
    /// before store nothing any more.
    func ignore(source: String?, before date: Date) {
        state.withLock { $0.note(removalOf: source, at: date, limit: Self.removalLimit) }
    }

    /// Starts to store the entry that `make` returns under `key`, once removals of its source have ended. `content` has
    /// its approximate size and its ticket. If too many bytes are pending, it is not stored.
    func store(
        _ content: PendingStores.Content, for key: CacheKey, reporting attempt: @escaping @Sendable (any Error) -> Void,
        making make: @escaping @Sendable () async -> DataEntry?
    ) -> SharedStore {
        let store = SharedStore { [weak self] in self?.state.withLock(\.storedCount) ?? 0 }
        let earlierRemovals = removals.tasks(forSource: key.source)
        let isStarted = stores.store(content, at: .init(key: key)) { [weak self, options] in
            let isCurrent = {
                self?.state.withLock { $0.generations.permits(content.ticket, forSource: key.source) } ?? true
            }
            for removal in earlierRemovals { _ = await removal.result }
            guard let entry = await make(), isCurrent() else { return store.end(isStored: false) }
            do {
                try await options.cache.store(entry, for: key)
                if isCurrent() {
                    self?.state.withLock { $0.storedCount += 1 }
                    return store.end(isStored: true)
                }
            } catch {
                attempt(error)
            }
            store.end(isStored: false)
            do {
                // Even after an error, it may arrive after another node has removed the entries of the source.
                if !isCurrent() { try await options.cache.remove(key) }
            } catch {
                attempt(error)
            }
        }
        if !isStarted {
            attempt(ImageError.tooManyPendingStores)
            store.end(isStored: false)
        }
        return store
    }

    /// Starts to remove all entries of `source`, or everything if it is `nil`. Entries stored before `date` count as
    /// misses from now on.
    func remove(source: String?, before date: Date, reporting attempt: @escaping @Sendable (any Error) -> Void) {
        ignore(source: source, before: date)
        startRemoval(ofSource: source, reporting: attempt) { cache in
            if let source {
                try await cache.removeAll(ofSource: source)
            } else {
                try await cache.removeAll()
            }
        }
    }

    /// Starts to remove the entries that `response` replaces.
    func replace(with response: SourceResponse, reporting attempt: @escaping @Sendable (any Error) -> Void) {
        startRemoval(ofSource: response.source, reporting: attempt) { cache in
            _ = try await cache.startGeneration(of: response, after: nil)
        }
    }

    /// Starts to remove the entry of `key`, which is not an image.
    func remove(_ key: CacheKey, reporting attempt: @escaping @Sendable (any Error) -> Void) {
        startRemoval(ofSource: key.source, reporting: attempt) { try await $0.remove(key) }
    }

    private func startRemoval(
        ofSource source: String?, reporting attempt: @escaping @Sendable (any Error) -> Void,
        remove: @escaping @Sendable (any DataCache) async throws -> Void
    ) {
        // Not those that begin later, because they wait for the removal.
        let earlierStores = stores.tasks(forSource: source)
        let place = PendingStores.Place(key: CacheKey(source: source ?? ""))
        _ = removals.startStore(of: .init(byteCount: 0), at: place) { [options] in
            for store in earlierStores { _ = await store.result }
            do {
                try await remove(options.cache)
            } catch {
                attempt(error)
            }
        }
    }

    /// Waits until the stores and removals started so far have ended.
    func wait() async {
        await removals.wait()
        await stores.wait()
    }
}

extension SharedCacheState.State {
    fileprivate mutating func note(removalOf source: String?, at now: Date, limit: Int) {
        guard let source else {
            (clearing, removals) = (now, [:])
            generations.endAll()
            return
        }
        generations.end(ofSource: source)
        if removals.count >= limit {
            // The oldest half has most probably ended.
            let dates = removals.values.sorted()
            removals = removals.filter { $0.value > dates[dates.count / 2] }
        }
        removals[source] = now
    }
}
