public import DarkroomPlatform

/// A cache of encoded data: originals and finished results. An error counts as a miss, or means that nothing is stored.
public protocol DataCache: Sendable {
    /// Returns the complete entry of exactly this key; `nil` for a miss.
    func entry(for key: CacheKey) async throws -> DataEntry?

    /// Returns the same as `entry(for:)` without any side effect: it does not count as a use, and damaged or expired
    /// entries are not removed.
    func peek(at key: CacheKey) async throws -> DataEntry?

    /// Returns the entry if the cache has it in memory, without waiting; `nil` if it does not, or cannot know.
    ///
    /// Caches that keep no bytes in memory return `nil`, as the default implementation does.
    func entryInMemory(for key: CacheKey) -> DataEntry?

    /// Stores `entry`, in place of any existing one.
    func store(_ entry: DataEntry, for key: CacheKey) async throws

    /// Returns a ticket of the current generation of `source`, for a load that is about to read the cache.
    ///
    /// ``SourceGenerations`` implements generations. The default returns ``StoreTicket/unchecked``. A cache that cannot
    /// store at present may return ``StoreTicket/refused``, and then ignores a store with it.
    func ticket(forSource source: String) async throws -> StoreTicket

    /// Returns a ticket of the source of `key`, and the entry of `key`, which is read after that.
    ///
    /// A load begins with it. The default calls ``ticket(forSource:)`` and ``entry(for:)``, one after the other; a cache
    /// that changes threads for each can do both in one step. If no ticket can be had, it is ``StoreTicket/refused``.
    func lookUp(_ key: CacheKey) async -> DataLookup

    /// Stores `entry` unless the source of `key` was replaced or removed since `ticket` was taken, which is checked
    /// under the lock that stores. The default does not check it.
    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws

    /// Starts the generation of `response`, and removes the entries that it replaces (``SourceResponse/replaces(_:)``) with
    /// another revision under the same lock. Returns the ticket of the generation, or `nil` if there is a newer one.
    ///
    /// `ticket` was taken by the load before it looked for the original. While it is current, the response is the newest
    /// one; after a removal, the response is not stored. It is `nil` if there was no such load. Then, and if the response
    /// replaces an original (``SourceResponse/isReplacement``), the default removes all entries of the source.
    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket?

    /// Replaces the metadata of an existing entry, but not its bytes.
    ///
    /// If the entry has another version than the new metadata, it must stay unchanged: it was replaced after the
    /// request whose response the metadata describes. Use ``DataEntry/Metadata/isOfSameVersion(as:)`` to check.
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws

    /// Returns whether there is an entry of `key`, without reading it.
    func contains(_ key: CacheKey) async throws -> Bool

    /// Removes the entry of `key`.
    func remove(_ key: CacheKey) async throws

    /// Removes the original and all variants of `source`.
    func removeAll(ofSource source: String) async throws

    /// Removes everything.
    func removeAll() async throws

    /// Removes expired entries and, only if the rest exceeds the size limit, others until it does not; a cache may then
    /// remove more, to have room for the next stores. Hosts call it before they are suspended or exit.
    func trim() async throws

    /// Releases memory as `pressure` requires. The default does nothing.
    func respond(to pressure: MemoryPressure)
}

extension DataCache {
    /// Returns `entry(for:)`, for a cache in which reading has no side effects.
    public func peek(at key: CacheKey) async throws -> DataEntry? { try await entry(for: key) }

    /// Returns a ticket that is not checked.
    public func ticket(forSource source: String) async throws -> StoreTicket { .unchecked }

    /// Takes the ticket, and then reads the entry.
    public func lookUp(_ key: CacheKey) async -> DataLookup {
        let ticket = (try? await ticket(forSource: key.source)) ?? .refused
        do {
            return DataLookup(ticket: ticket, entry: .success(try await entry(for: key)))
        } catch {
            return DataLookup(ticket: ticket, entry: .failure(error))
        }
    }

    /// Stores the entry without checking the ticket.
    public func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        try await store(entry, for: key)
    }

    /// Removes the entries of `source`, if they are replaced.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        if ticket == nil || response.isReplacement { try await removeAll(ofSource: response.source) }
        return .unchecked
    }

    /// Returns `nil`.
    public func entryInMemory(for key: CacheKey) -> DataEntry? { nil }

    /// Does nothing, for a cache that enforces its limits at all times.
    public func trim() async throws {}

    /// Does nothing, for a cache that keeps no bytes in memory.
    public func respond(to pressure: MemoryPressure) {}
}

/// Encoded data with its metadata. Copies are cheap.
public struct DataEntry: Hashable, Sendable {
    /// The metadata stored with the data.
    public struct Metadata: Hashable, Sendable, Codable {
        /// The time when the data was received.
        public var storedAt: Date

        /// The header of the decoded file; of a result, the header of its original.
        public var info: ImageInfo?

        /// The response of the origin server; of originals only.
        public var response: ResponseMetadata?

        /// The values of the `Set-Cookie` fields of the response. They are secrets of one user, so they stay in memory:
        /// no encoded form contains them, and a cache that is not private to this process must not store them.
        public var setCookies: [String] {
            get { cookies.texts }
            set { cookies.texts = newValue }
        }

        /// The version of an original, or of the original that a result was made from.
        public var original: OriginalVersion?

        /// The description of the data, if it is an encoded result.
        public var file: EncodedFile?

        /// Custom data of the caller.
        public var extendedData: Data?

        private var cookies = UnstoredTexts()

        /// Creates metadata of data received at `storedAt`.
        public init(storedAt: Date = .now) { self.storedAt = storedAt }

        /// Returns whether both are of the same version of the original. Metadata without a version matches any.
        public func isOfSameVersion(as other: Metadata) -> Bool {
            guard let original, let otherOriginal = other.original else { return true }
            return original.revision == otherOriginal.revision
        }
    }

    private final class Storage: Sendable {
        let data: Data
        let metadata: Metadata

        init(data: Data, metadata: Metadata) {
            self.data = data
            self.metadata = metadata
        }
    }

    private var storage: Storage

    /// The contents of an image file.
    public var data: Data {
        get { storage.data }
        set { storage = Storage(data: newValue, metadata: metadata) }
    }

    /// The metadata of the data.
    public var metadata: Metadata {
        get { storage.metadata }
        set { storage = Storage(data: data, metadata: newValue) }
    }

    /// The version of the original, read without a copy of the other metadata.
    var original: OriginalVersion? { storage.metadata.original }

    /// Creates an entry of `data`.
    public init(_ data: Data, metadata: Metadata = .init()) { storage = Storage(data: data, metadata: metadata) }

    /// Returns whether both have equal bytes and metadata.
    public static func == (left: DataEntry, right: DataEntry) -> Bool {
        left.storage === right.storage || left.data == right.data && left.metadata == right.metadata
    }

    /// Hashes the bytes and the metadata.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(data)
        hasher.combine(metadata)
    }
}
