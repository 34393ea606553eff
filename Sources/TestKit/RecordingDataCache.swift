public import DarkroomCore

/// A data cache that records the calls it receives, in order, and forwards them to another one.
public struct RecordingDataCache: DataCache {
    /// A call. Looking into memory and releasing it, which happen at any time, and tickets are not recorded.
    public enum Call: Hashable, Sendable {
        /// `entry(for:)`, which found an entry or did not.
        case entry(CacheKey, found: Bool)
        /// `peek(at:)`, which found an entry or did not.
        case peek(CacheKey, found: Bool)
        /// `store(_:for:)`, with the number of bytes.
        case store(CacheKey, byteCount: Int)
        /// `update(_:for:)`.
        case update(CacheKey)
        /// `contains(_:)`, and its result.
        case contains(CacheKey, Bool)
        /// `remove(_:)`.
        case remove(CacheKey)
        /// `removeAll(ofSource:)`.
        case removeSource(String)
        /// `removeAll()`.
        case removeAll
        /// `trim()`.
        case trim
    }

    /// The calls so far that have returned, which a test can wait for. A call that throws is not recorded.
    public let calls = Recorder<Call>()

    private let base: any DataCache

    /// Creates a cache in front of `base`, by default an empty one in memory.
    public init(_ base: any DataCache = FakeDataCache()) { self.base = base }

    /// Returns the entry of the other cache.
    public func entry(for key: CacheKey) async throws -> DataEntry? {
        let entry = try await base.entry(for: key)
        calls.note(.entry(key, found: entry != nil))
        return entry
    }

    /// Returns the entry of the other cache, without side effects.
    public func peek(at key: CacheKey) async throws -> DataEntry? {
        let entry = try await base.peek(at: key)
        calls.note(.peek(key, found: entry != nil))
        return entry
    }

    /// Returns the entry that the other cache has in memory.
    public func entryInMemory(for key: CacheKey) -> DataEntry? { base.entryInMemory(for: key) }

    /// Stores the entry in the other cache.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws {
        try await base.store(entry, for: key)
        calls.note(.store(key, byteCount: entry.data.count))
    }

    /// Returns a ticket of the other cache.
    public func ticket(forSource source: String) async throws -> StoreTicket {
        try await base.ticket(forSource: source)
    }

    /// Stores the entry in the other cache, which may refuse `ticket`. It is recorded in either case.
    public func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        try await base.store(entry, for: key, with: ticket)
        calls.note(.store(key, byteCount: entry.data.count))
    }

    /// Starts the generation of `response` in the other cache.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        try await base.startGeneration(of: response, after: ticket)
    }

    /// Replaces the metadata in the other cache.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await base.update(metadata, for: key)
        calls.note(.update(key))
    }

    /// Returns whether the other cache has an entry.
    public func contains(_ key: CacheKey) async throws -> Bool {
        let contains = try await base.contains(key)
        calls.note(.contains(key, contains))
        return contains
    }

    /// Removes the entry from the other cache.
    public func remove(_ key: CacheKey) async throws {
        try await base.remove(key)
        calls.note(.remove(key))
    }

    /// Removes the original and all variants of `source` from the other cache.
    public func removeAll(ofSource source: String) async throws {
        try await base.removeAll(ofSource: source)
        calls.note(.removeSource(source))
    }

    /// Empties the other cache.
    public func removeAll() async throws {
        try await base.removeAll()
        calls.note(.removeAll)
    }

    /// Trims the other cache.
    public func trim() async throws {
        try await base.trim()
        calls.note(.trim)
    }

    /// Has the other cache release memory.
    public func respond(to pressure: MemoryPressure) { base.respond(to: pressure) }
}
