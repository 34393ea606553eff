public import DarkroomCore
import Synchronization

/// An unlimited data cache for tests, which can be made to fail.
public final class FakeDataCache: DataCache {
    private struct State {
        var entries: [CacheKey: DataEntry] = [:]
        var generations = SourceGenerations()
        var failure: ImageError?
        var trimCount = 0

        mutating func removeEntries(ofSource source: String) {
            entries = entries.filter { $0.key.ofPlainSource != CacheKey(source: source) }
        }
    }

    private let state = Mutex(State())

    /// Creates an empty cache.
    public init() {}

    /// Makes every subsequent call throw `error`; `nil` restores normal operation.
    public func fail(with error: ImageError?) { state.withLock { $0.failure = error } }

    /// The keys of all entries.
    public var keys: Set<CacheKey> { state.withLock { Set($0.entries.keys) } }

    /// Returns the stored entry.
    public func entry(for key: CacheKey) async throws -> DataEntry? { try use { $0.entries[key] } }

    /// Stores the entry.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws { try use { $0.entries[key] = entry } }

    /// Returns a ticket of the current generation, even if the other calls fail.
    public func ticket(forSource source: String) async throws -> StoreTicket {
        state.withLock { $0.generations.ticket(forSource: source) }
    }

    /// Stores the entry, unless its source was replaced or removed since `ticket` was taken.
    public func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        try use { state in
            if state.generations.permits(ticket, forSource: key.source) { state.entries[key] = entry }
        }
    }

    /// Starts the generation of `response`, and removes the entries of its source, unless they have its revision.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        try use { state in
            let start = state.generations.start(response, after: ticket)
            if start.removesEntries { state.entries = state.entries.filter { !response.replaces($0.key) } }
            return start.ticket
        }
    }

    /// Replaces the metadata, unless the stored entry is of another version.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try use { state in
            guard let kept = state.entries[key]?.metadata, metadata.isOfSameVersion(as: kept) else { return }
            state.entries[key]?.metadata = metadata
        }
    }

    /// Returns whether an entry is stored.
    public func contains(_ key: CacheKey) async throws -> Bool { try use { $0.entries[key] != nil } }

    /// Removes the entry.
    public func remove(_ key: CacheKey) async throws {
        try use { state in
            state.generations.end(ofSource: key.source)
            state.entries[key] = nil
        }
    }

    /// Removes the original and all variants of `source`.
    public func removeAll(ofSource source: String) async throws {
        try use { state in
            state.generations.end(ofSource: source)
            state.removeEntries(ofSource: source)
        }
    }

    /// Removes all entries.
    public func removeAll() async throws {
        try use { state in
            state.generations.endAll()
            state.entries = [:]
        }
    }

    /// The number of successful calls of ``trim()``.
    public var trimCount: Int { state.withLock { $0.trimCount } }

    /// Increments ``trimCount``.
    public func trim() async throws { try use { $0.trimCount += 1 } }

    private func use<Result: Sendable>(_ body: (inout State) -> Result) throws -> Result {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return body(&state)
        }
    }
}

/// An unlimited image cache for tests.
public final class FakeImageCache: ImageCache {
    private struct State {
        var images: [CacheKey: Image] = [:]
        var generations = SourceGenerations()

        mutating func removeImages(ofSource source: String) {
            images = images.filter { $0.key.ofPlainSource != CacheKey(source: source) }
        }
    }

    private let state = Mutex(State())

    /// Creates an empty cache.
    public init() {}

    /// The keys of all images.
    public var keys: Set<CacheKey> { state.withLock { Set($0.images.keys) } }

    /// Returns the stored image.
    public func image(for key: CacheKey) -> Image? { state.withLock { $0.images[key] } }

    /// Stores the image.
    public func store(_ image: Image, for key: CacheKey) { state.withLock { $0.images[key] = image } }

    /// Returns a ticket of the current generation of `source`.
    public func ticket(forSource source: String) -> StoreTicket {
        state.withLock { $0.generations.ticket(forSource: source) }
    }

    /// Stores the image, unless its source was replaced or removed since `ticket` was taken.
    public func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) {
        state.withLock { state in
            if state.generations.permits(ticket, forSource: key.source) { state.images[key] = image }
        }
    }

    /// Starts the generation of `response`, and removes the images of its source, unless they have its revision.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        state.withLock { state in
            let start = state.generations.start(response, after: ticket)
            if start.removesEntries { state.images = state.images.filter { !response.replaces($0.key) } }
            return start.ticket
        }
    }

    /// Returns whether an image is stored.
    public func contains(_ key: CacheKey) -> Bool { state.withLock { $0.images[key] != nil } }

    /// Returns the stored images of `source` with their keys.
    public func images(ofSource source: String) -> [(CacheKey, Image)] {
        state.withLock { state in
            state.images.filter { $0.key.ofPlainSource == CacheKey(source: source) }.map { ($0.key, $0.value) }
        }
    }

    /// Removes the image.
    public func remove(_ key: CacheKey) {
        state.withLock { state in
            state.generations.end(ofSource: key.source)
            state.images[key] = nil
        }
    }

    /// Removes all images of `source`.
    public func removeAll(ofSource source: String) {
        state.withLock { state in
            state.generations.end(ofSource: source)
            state.removeImages(ofSource: source)
        }
    }

    /// Removes all images.
    public func removeAll() {
        state.withLock { state in
            state.generations.endAll()
            state.images = [:]
        }
    }
}

/// An image cache that evicts everything immediately, as a cache may under memory pressure. All loads then go to disk
/// or the origin server.
public struct DiscardingImageCache: ImageCache {
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
