public import DarkroomCore
import DarkroomPlatform
import Synchronization

/// A data cache in memory, of a limited size: the first tier of a ``TieredDataCache`` for encoded results.
///
/// The oldest entries are evicted first, except that an entry that was used since it was last considered is kept for
/// another round (CLOCK). All operations take constant time on average, except for those on whole sources.
public final class MemoryDataCache: DataCache {
    /// An eighth of the memory that this process may use, and at most 64 MiB.
    public static let defaultByteLimit = min(SystemMemory().byteCount / 8, 64 << 20)

    /// The number of bytes that all entries together may take.
    public let byteLimit: Int

    private let state: Mutex<MemoryDataCacheState>

    /// Creates a cache of `byteLimit` bytes. Entries that take more than a quarter of that are not stored.
    public init(byteLimit: Int = defaultByteLimit) {
        self.byteLimit = byteLimit
        state = Mutex(MemoryDataCacheState(byteLimit: byteLimit))
    }

    /// The number of entries.
    public var count: Int { state.withLock(\.count) }

    /// The number of bytes that all entries take, including their keys and metadata.
    public var byteCount: Int { state.withLock(\.byteCount) }

    /// Returns the entry of `key`, which counts as a use.
    public func entry(for key: CacheKey) async throws -> DataEntry? { entryInMemory(for: key) }

    /// Returns the entry of `key`, which counts as a use.
    public func entryInMemory(for key: CacheKey) -> DataEntry? { state.withLock { $0.use(key) } }

    /// Returns the entry of `key`.
    public func peek(at key: CacheKey) async throws -> DataEntry? { state.withLock { $0.entry(for: key) } }

    /// Stores a copy of `entry`.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws {
        try await store(entry, for: key, with: .unchecked)
    }

    /// Stores a copy of `entry`, unless its source was replaced or removed since `ticket` was taken.
    public func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        // The bytes may be part of a mapped file, or of a larger buffer.
        let data = unsafe entry.data.withUnsafeBytes { unsafe Data($0) }
        let entry = DataEntry(data, metadata: entry.metadata)
        state.withLock { state in
            guard state.generations.permits(ticket, forSource: key.source) else { return }
            state.store(entry, for: key)
        }
    }

    /// Returns a ticket of the current generation of `source`.
    public func ticket(forSource source: String) async throws -> StoreTicket {
        state.withLock { $0.generations.ticket(forSource: source) }
    }

    /// Starts the generation of `response`, and removes the entries of its source, unless they have its revision.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        state.withLock { state in
            let start = state.generations.start(response, after: ticket)
            if start.removesEntries { state.removeEntries(replacedBy: response) }
            return start.ticket
        }
    }

    /// Replaces the metadata of an entry of the same version.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        state.withLock { $0.update(metadata, for: key) }
    }

    /// Returns whether there is an entry of `key`.
    public func contains(_ key: CacheKey) async throws -> Bool { state.withLock { $0.entry(for: key) != nil } }

    /// Removes the entry of `key`.
    public func remove(_ key: CacheKey) async throws { state.withLock { $0.remove(key) } }

    /// Removes all entries of `source`, without a search.
    public func removeAll(ofSource source: String) async throws { removeAll(ofSource: source, at: .now()) }

    /// Removes all entries of `source`, because another cache removed them at `moment`. Entries of later loads can be stored.
    public func removeAll(ofSource source: String, at moment: LoadMoment) {
        state.withLock { $0.removeAll(ofSource: source, at: moment) }
    }

    /// Removes everything.
    public func removeAll() async throws { removeEverything { $0.generations.endAll() } }

    /// Evicts half of the bytes on a warning, and everything if memory is critical.
    public func respond(to pressure: MemoryPressure) {
        switch pressure {
        case .normal: break
        case .warning: state.withLock { $0.evict(downTo: $0.byteCount / 2) }
        case .critical: removeEverything()
        }
    }

    private func removeEverything(_ endGenerations: (inout MemoryDataCacheState) -> Void = { _ in }) {
        // Deallocated after the lock is released.
        let removed = state.withLock { state in
            let removed = state
            state = MemoryDataCacheState(byteLimit: byteLimit)
            state.generations = removed.generations
            endGenerations(&state)
            return removed
        }
        withExtendedLifetime(removed) {}
    }
}
