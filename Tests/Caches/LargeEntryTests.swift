import DarkroomTestKit
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches
@testable import DarkroomCore

/// Tests loads of many large entries at once, with a memory budget that has no room for all of them.
@Suite(.bounded) struct LargeEntryTests {
    private static let urls = (0..<20).map { URL(string: "http://example.com/\($0)")! }

    /// The side of pictures whose files have 313,611 bytes.
    private static let side = 280

    private let folder: TemporaryDirectory
    private let budget = MemoryBudget(byteLimit: 2 << 20)
    private let hold = DispatchSemaphore(value: 0)

    init() throws { folder = try TemporaryDirectory() }

    /// Returns a manager with a cache in the folder, whose loader returns pictures with sides of `side` pixels. Its coder waits for
    /// `hold`.
    private func manager(
        side: Int = Self.side, version: Int = 1, in cache: (any DataCache)? = nil
    ) throws -> ImageManager {
        let file = PlainCoder.file(of: .testCard(side, side, number: version))
        let cache = try cache ?? folder.plainCache()
        return try ImageManager { [budget, hold] in
            $0.install(
                FakeLoader { request in
                    // Stale from the beginning.
                    var metadata = ResponseMetadata(
                        url: request.url, status: 200, headers: ["etag": "\"\(version)\"", "cache-control": "no-cache"])
                    guard request.stored?.headers["etag"] == metadata.headers["etag"] else {
                        let chunks = AsyncThrowingStream<Data, any Error> { stream in
                            stream.yield(file)
                            stream.finish()
                        }
                        return LoadResponse(.chunks(chunks), metadata: metadata)
                    }
                    metadata.status = 304
                    return LoadResponse(.notModified, metadata: metadata)
                })
            $0.install(
                PlainCoder { _ in
                    hold.wait()
                    hold.signal()
                })
            $0.dataCache = cache
            $0.resultFormat = .plain
            $0.memoryBudget = budget
        }
    }

    /// Stores pictures with sides of `side` pixels in the folder.
    private func store(side: Int = Self.side, context: ImageContext = .init()) async throws {
        hold.signal()
        let manager = try manager(side: side)
        for url in Self.urls { _ = try await manager.load(url, context: context) }
        await manager.waitForStores()
        hold.wait()
    }

    /// Starts to load all pictures.
    private func loads(
        from manager: ImageManager, context: ImageContext = Self.offline
    ) -> [Task<PixelSize, any Error>] {
        Self.urls.map { url in Task { try await manager.load(url, context: context).image.size } }
    }

    /// The options of a load that uses stored pictures as they are.
    private static let offline = ImageContext {
        $0.cacheUse = .cacheOnly
        $0.freshnessPolicy = .immutable
    }

    enum Kind: CaseIterable {
        case disk, tiers, bundle
    }

    private func cache(_ kind: Kind) async throws -> any DataCache {
        if kind == .bundle {
            let file = PlainCoder.file(of: .testCard(Self.side, Self.side))
            for url in Self.urls { _ = try folder.write(file, to: url.lastPathComponent) }
            return BundleDataCache { [folder] key in
                URL(string: key.source).map { folder.url.appending(path: $0.lastPathComponent) }
            }
        }
        try await store()
        let disk = try folder.plainCache()
        return kind == .disk ? disk : TieredDataCache([FakeDataCache(), disk])
    }

    @Test(arguments: Kind.allCases)
    func entriesWaitForMemoryBeforeTheyAreRead(_ kind: Kind) async throws {
        let cache = try await cache(kind)
        let loads = try loads(from: manager(in: cache))
        // Three have half of the budget, and one more may always proceed.
        await StateChanges.wait { budget.waitingCount >= 16 }
        #expect(budget.reservedByteCount <= budget.byteLimit)
        hold.signal()
        for load in loads { #expect(try await load.value == PixelSize(Self.side, Self.side)) }
        await StateChanges.wait { budget.reservedByteCount == 0 }
    }

    @Test func smallEntriesDoNotWait() async throws {
        try await store(side: 250)
        let transfer = budget.makeTransferMemory(.constant(.normal))
        // More than the half of all transfers, so that others wait.
        try await transfer.grow(by: 1 << 20 + 1)
        hold.signal()
        for load in try loads(from: manager(side: 250)) { _ = try await load.value }
        withExtendedLifetime(transfer) {}
    }

    @Test func entriesOfCacheThatReservesNoMemoryAreCounted() async throws {
        let cache = FakeDataCache()
        let file = PlainCoder.file(of: .testCard(Self.side, Self.side))
        for url in Self.urls { try await cache.store(DataEntry(file), for: CacheKey(source: url.absoluteString)) }
        let loads = try loads(from: manager(in: cache))
        await StateChanges.wait { budget.reservedByteCount >= loads.count * file.count }
        hold.signal()
        for load in loads { _ = try await load.value }
        await StateChanges.wait { budget.reservedByteCount == 0 }
    }

    @Test func entriesThatAreLargerThanTheBudgetAreReadOneByOne() async throws {
        try await store()
        budget.byteLimit = 256 << 10
        let loads = try loads(from: manager())
        await StateChanges.wait { budget.waitingCount >= 19 }
        hold.signal()
        for load in loads { #expect(try await load.value == PixelSize(Self.side, Self.side)) }
    }

    @Test func loadThatWaitsForMemoryCanBeCancelled() async throws {
        try await store()
        let loads = try loads(from: manager())
        await StateChanges.wait { budget.waitingCount >= 16 }
        for load in loads { load.cancel() }
        for load in loads { await #expect(throws: ImageError.self) { try await load.value } }
        #expect(budget.waitingCount == 0)
        hold.signal()
    }

    /// A load that holds a stale entry also needs memory for what replaces it, or for what it is made from.
    @Test(arguments: [1, 2], [nil, Thumbnail.fit(270, 270)])
    func staleEntriesAreConfirmedOrReplaced(version: Int, thumbnail: Thumbnail?) async throws {
        let context = ImageContext { $0.thumbnail = thumbnail }
        try await store(context: context)
        budget.byteLimit = 256 << 10
        let manager = try manager(version: version)
        let loads = loads(from: manager, context: context)
        hold.signal()
        let side = thumbnail == nil ? Self.side : 270
        for load in loads { #expect(try await load.value == PixelSize(side, side)) }
        await StateChanges.wait { budget.reservedByteCount == 0 }
    }

    @Test func damagedEntriesAreLoadedAgain() async throws {
        try await store()
        let cache = try folder.plainCache()
        for url in Self.urls {
            let key = CacheKey(source: url.absoluteString)
            var entry = try #require(try await cache.entry(for: key))
            entry.data.removeLast(800)
            try await cache.store(entry, for: key)
        }
        budget.byteLimit = 256 << 10
        let loads = try loads(from: manager(), context: ImageContext { $0.freshnessPolicy = .immutable })
        hold.signal()
        for load in loads { #expect(try await load.value == PixelSize(Self.side, Self.side)) }
    }

    @Test func severalSizesShareOneEntry() async throws {
        try await store()
        budget.byteLimit = 256 << 10
        hold.signal()
        let contexts = [100.0, 200, 270].map { side in
            var context = Self.offline
            context.thumbnail = .fit(side, side)
            return context
        }
        let manager = try manager()
        let loads = Self.urls.map { url in Task { await manager.load(url, contexts: contexts) } }
        for load in loads { for result in await load.value { _ = try result.get() } }
    }
}
