public import DarkroomCore
import Synchronization

/// An unlimited data cache for tests, which can be made to fail.
public final class FakeDataCache: DataCache {
    private let entries = Mutex<[CacheKey: DataEntry]>([:])

    private let failure = Mutex<ImageError?>(nil)

    private let trims = Mutex(0)

    /// Creates an empty cache.
    public init() {}

    /// Makes every subsequent call throw `error`; `nil` restores normal operation.
    public func fail(with error: ImageError?) { failure.withLock { $0 = error } }

    /// The keys of all entries.
    public var keys: Set<CacheKey> { entries.withLock { Set($0.keys) } }

    /// Returns the stored entry.
    public func entry(for key: CacheKey) async throws -> DataEntry? { try use { $0[key] } }

    /// Stores the entry.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws { try use { $0[key] = entry } }

    /// Replaces the metadata, unless the stored entry is of another version.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try use { entries in
            guard let kept = entries[key]?.metadata, metadata.isOfSameVersion(as: kept) else { return }
            entries[key]?.metadata = metadata
        }
    }

    /// Returns whether an entry is stored.
    public func contains(_ key: CacheKey) async throws -> Bool { try use { $0[key] != nil } }

    /// Removes the entry.
    public func remove(_ key: CacheKey) async throws { try use { $0[key] = nil } }

    /// Removes the original and all variants of `source`.
    public func removeAll(ofSource source: String) async throws {
        try use { entries in entries = entries.filter { $0.key.original != CacheKey(source: source) } }
    }

    /// Removes all entries.
    public func removeAll() async throws { try use { $0 = [:] } }

    /// The number of successful calls of ``trim()``.
    public var trimCount: Int { trims.withLock { $0 } }

    /// Increments ``trimCount``.
    public func trim() async throws {
        try use { _ in }
        trims.withLock { $0 += 1 }
    }

    private func use<Result: Sendable>(_ body: (inout [CacheKey: DataEntry]) -> Result) throws -> Result {
        if let failure = failure.withLock({ $0 }) { throw failure }
        return entries.withLock { body(&$0) }
    }
}

/// An unlimited image cache for tests.
public final class FakeImageCache: ImageCache {
    private let images = Mutex<[CacheKey: Image]>([:])

    /// Creates an empty cache.
    public init() {}

    /// The keys of all images.
    public var keys: Set<CacheKey> { images.withLock { Set($0.keys) } }

    /// Returns the stored image.
    public func image(for key: CacheKey) -> Image? { images.withLock { $0[key] } }

    /// Stores the image.
    public func store(_ image: Image, for key: CacheKey) { images.withLock { $0[key] = image } }

    /// Returns whether an image is stored.
    public func contains(_ key: CacheKey) -> Bool { images.withLock { $0[key] != nil } }

    /// Returns the stored images of `source` with their keys.
    public func images(ofSource source: String) -> [(CacheKey, Image)] {
        images.withLock { images in
            images.filter { $0.key.original == CacheKey(source: source) }.map { ($0.key, $0.value) }
        }
    }

    /// Removes the image.
    public func remove(_ key: CacheKey) { images.withLock { $0[key] = nil } }

    /// Removes all images of `source`.
    public func removeAll(ofSource source: String) {
        images.withLock { images in images = images.filter { $0.key.original != CacheKey(source: source) } }
    }

    /// Removes all images.
    public func removeAll() { images.withLock { $0 = [:] } }
}

/// An image cache that evicts everything immediately, as a cache may under memory pressure. All loads then go to disk
/// or the origin server.
public struct EmptyImageCache: ImageCache {
    /// Creates a cache that stays empty.
    public init() {}

    /// Returns `nil`.
    public func image(for key: CacheKey) -> Image? { nil }

    /// Does nothing.
    public func store(_ image: Image, for key: CacheKey) {}

    /// Returns `false`.
    public func contains(_ key: CacheKey) -> Bool { false }

    /// Does nothing.
    public func remove(_ key: CacheKey) {}

    /// Does nothing.
    public func removeAll(ofSource source: String) {}

    /// Does nothing.
    public func removeAll() {}
}
