#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Keeps encoded bytes: originals and finished results. Whatever it throws counts as a miss, or as not kept.
public protocol DataCache: Sendable {
    /// The entry of `key`, whole and of that very key; `nil` for a miss.
    func entry(for key: CacheKey) async throws -> DataEntry?

    /// The entry of `key`, as `entry(for:)` answers it, for who only wants to know: nothing changes by that. It counts as no
    /// use, and what is damaged or too old stays.
    func peek(at key: CacheKey) async throws -> DataEntry?

    /// Keeps `entry`, in place of what was there.
    func store(_ entry: DataEntry, for key: CacheKey) async throws

    /// Replaces the metadata of an entry, if there is one, and leaves its bytes.
    ///
    /// An entry of another version than the new metadata stays as it is: it was replaced since somebody asked about it, and
    /// what they learned is not about its bytes. `Metadata.isOfSameVersion(as:)` tells.
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws

    /// Whether there is an entry of `key`; it is not read.
    func contains(_ key: CacheKey) async throws -> Bool

    /// Removes the entry of `key`.
    func remove(_ key: CacheKey) async throws

    /// Removes the original and all variants of `source`.
    func removeAll(ofSource source: String) async throws

    /// Removes everything.
    func removeAll() async throws

    /// Removes what is too old and too much, which a host asks for when it goes to the background or ends.
    func trim() async throws
}

extension DataCache {
    /// What `entry(for:)` answers, for a cache that changes nothing by that.
    public func peek(at key: CacheKey) async throws -> DataEntry? { try await entry(for: key) }

    /// Does nothing, for a cache that keeps to its limits anyway.
    public func trim() async throws {}
}

/// Encoded bytes and what is known about them.
public struct DataEntry: Hashable, Sendable {
    /// What is kept beside the bytes.
    public struct Metadata: Hashable, Sendable, Codable {
        /// When the bytes came.
        public var storedAt: Date

        /// The header of the picture they came from; of a result, that of its original.
        public var info: ImageInfo?

        /// How the origin answered; of originals only.
        public var response: ResponseMetadata?

        /// The version that an original is, or that a result was made from.
        public var original: OriginalVersion?

        /// The caller's own data.
        public var extendedData: Data?

        /// Metadata of something that came at `storedAt`.
        public init(storedAt: Date = .now) { self.storedAt = storedAt }

        /// Whether both are of one version of the original; what names none may be of any.
        public func isOfSameVersion(as other: Metadata) -> Bool {
            guard let original, let otherOriginal = other.original else { return true }
            return original.revision == otherOriginal.revision
        }
    }

    /// A file as it would lie on disk.
    public var data: Data

    /// What is known about it.
    public var metadata: Metadata

    /// An entry of `data`.
    public init(_ data: Data, metadata: Metadata = .init()) {
        self.data = data
        self.metadata = metadata
    }
}
