public import DarkroomCore
import Synchronization

/// A data cache without limits, for tests; it can be told to fail.
public final class FakeDataCache: DataCache {
    private let entries = Mutex<[CacheKey: DataEntry]>([:])

    private let failure = Mutex<ImageError?>(nil)

    private let trims = Mutex(0)

    /// An empty cache.
    public init() {}

    /// Makes every call from now on throw `error`; `nil` makes them work again.
    public func fail(with error: ImageError?) { failure.withLock { $0 = error } }

    /// The keys of all entries.
    public var keys: Set<CacheKey> { entries.withLock { Set($0.keys) } }

    /// The entry kept.
    public func entry(for key: CacheKey) async throws -> DataEntry? { try use { $0[key] } }

    /// Keeps it.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws { try use { $0[key] = entry } }

    /// Replaces the metadata, unless the entry is of another version.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try use { entries in
            guard let kept = entries[key]?.metadata, metadata.isOfSameVersion(as: kept) else { return }
            entries[key]?.metadata = metadata
        }
    }

    /// Whether it is kept.
    public func contains(_ key: CacheKey) async throws -> Bool { try use { $0[key] != nil } }

    /// Removes it.
    public func remove(_ key: CacheKey) async throws { try use { $0[key] = nil } }

    /// Removes all of `source`.
    public func removeAll(ofSource source: String) async throws {
        try use { entries in entries = entries.filter { $0.key.original != CacheKey(source: source) } }
    }

    /// Removes all.
    public func removeAll() async throws { try use { $0 = [:] } }

    /// How often it was trimmed.
    public var trimCount: Int { trims.withLock { $0 } }

    /// Counts the call.
    public func trim() async throws {
        try use { _ in }
        trims.withLock { $0 += 1 }
    }

    private func use<Result: Sendable>(_ body: (inout [CacheKey: DataEntry]) -> Result) throws -> Result {
        if let failure = failure.withLock({ $0 }) { throw failure }
        return entries.withLock { body(&$0) }
    }
}

/// An image cache without limits, for tests.
public final class FakeImageCache: ImageCache {
    private let images = Mutex<[CacheKey: Image]>([:])

    /// An empty cache.
    public init() {}

    /// The keys of all images.
    public var keys: Set<CacheKey> { images.withLock { Set($0.keys) } }

    /// The image kept.
    public func image(for key: CacheKey) -> Image? { images.withLock { $0[key] } }

    /// Keeps it.
    public func store(_ image: Image, for key: CacheKey) { images.withLock { $0[key] = image } }

    /// Whether it is kept.
    public func contains(_ key: CacheKey) -> Bool { images.withLock { $0[key] != nil } }

    /// Those made of `source`.
    public func images(ofSource source: String) -> [(CacheKey, Image)] {
        images.withLock { images in
            images.filter { $0.key.original == CacheKey(source: source) }.map { ($0.key, $0.value) }
        }
    }

    /// Removes it.
    public func remove(_ key: CacheKey) { images.withLock { $0[key] = nil } }

    /// Removes all of `source`.
    public func removeAll(ofSource source: String) {
        images.withLock { images in images = images.filter { $0.key.original != CacheKey(source: source) } }
    }

    /// Removes all.
    public func removeAll() { images.withLock { $0 = [:] } }
}

/// An image cache that forgets everything at once, as one may under pressure: all loads then go to disk or origin.
public struct ForgetfulImageCache: ImageCache {
    /// A cache that stays empty.
    public init() {}

    /// Nothing.
    public func image(for key: CacheKey) -> Image? { nil }

    /// Forgets it.
    public func store(_ image: Image, for key: CacheKey) {}

    /// Never.
    public func contains(_ key: CacheKey) -> Bool { false }

    /// Does nothing.
    public func remove(_ key: CacheKey) {}

    /// Does nothing.
    public func removeAll(ofSource source: String) {}

    /// Does nothing.
    public func removeAll() {}
}
