@testable import DarkroomCore
import DarkroomTestKit
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Nothing is stored that the origin server has replaced, or the app has removed, while it was in the making.
@Suite(.bounded)
struct ReplacementTests {
    private static let versions = (0..<4).map { version in
        Bitmap(12, 8) { x, _ in Color(red: UInt8(x), green: UInt8(50 * version), blue: 7) }
    }

    /// An origin server without freshness headers, which serves the version that is set.
    private final class Server: Sendable {
        private let version = Mutex(1)

        var loader: FakeLoader { FakeLoader { [self] _ in LoadResponse(.data(file)) } }

        func publish(_ newVersion: Int) { version.withLock { $0 = newVersion } }

        private var file: Data { PlainCoder.file(of: ReplacementTests.versions[version.withLock { $0 }]) }
    }

    /// A transformer that waits when it is first used.
    private final class SlowTransformer: ImageTransformer {
        let began = Gate()
        private let hold = DispatchSemaphore(value: 0)
        private let isFirst = Mutex<Bool?>(true)

        var identifier: String { "Slow()" }

        func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
            guard isFirst.withLock({ $0.take() }) != nil else { return bitmap }
            began.open()
            hold.wait()
            return bitmap
        }

        func end() { hold.signal() }
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    private let server = Server()
    private let slow = SlowTransformer()

    private var slowContext: ImageContext { ImageContext { $0.transformers = [slow] } }

    private static func version(of result: LoadResult) -> Int? {
        result.image.bitmap.color(x: 0, y: 0).map { Int($0.green) / 50 }
    }

    private static let refresh = ImageContext {
        $0.cacheUse = .refresh
        $0.waitsForStore = true
    }

    @Test func resultInTheMakingIsNotStoredAfterARefresh() async throws {
        let box = Darkbox(server.loader)
        let load = Task { try await box.manager.load(Darkbox.url, context: slowContext) }
        await slow.began.wait()
        server.publish(2)
        #expect(Self.version(of: try await box.manager.load(Darkbox.url, context: Self.refresh)) == 2)
        slow.end()
        #expect(Self.version(of: try await load.value) == 1, "what a run returns is delivered")
        await box.manager.waitForStores()
        #expect(box.images.keys == [CacheKey(source: Darkbox.url.absoluteString)])
        #expect(box.data.keys == box.images.keys)
        let again = try await box.manager.load(Darkbox.url, context: slowContext)
        #expect(Self.version(of: again) == 2 && again.origin == .original)
    }

    @Test func imageDecodedFromAnOldFileIsNotStoredAfterARefresh() async throws {
        let (decoding, hold) = (Gate(), DispatchSemaphore(value: 0))
        let decodes = Counter()
        let box = Darkbox(server.loader) {
            $0.install(
                PlainCoder { _ in
                    // The first decode is of the first load, the second of the disk hit.
                    guard decodes.next() == 2 else { return }
                    decoding.open()
                    hold.wait()
                })
        }
        _ = try await box.load { $0.waitsForStore = true }
        box.images.removeAll()
        let load = Task { try await box.load() }
        await decoding.wait()
        server.publish(2)
        _ = try await box.manager.load(Darkbox.url, context: Self.refresh)
        hold.signal()
        #expect(Self.version(of: try await load.value) == 1)
        #expect(Self.version(of: try await box.load()) == 2)
    }

    @Test(arguments: [false, true]) func resultInTheMakingIsNotStoredAfterARemoval(_ removesAll: Bool) async throws {
        let box = Darkbox(server.loader)
        let load = Task { try await box.manager.load(Darkbox.url, context: slowContext) }
        await slow.began.wait()
        if removesAll {
            try await box.manager.removeAll()
        } else {
            try await box.manager.removeAll(of: Darkbox.url)
        }
        // The run under way is outlived: a new load does not join it.
        let other = try await box.manager.load(Darkbox.url, context: slowContext)
        #expect(!other.report.isJoined && box.loader.requests.count == 2)
        try await box.manager.removeAll(of: Darkbox.url)
        slow.end()
        _ = try await load.value
        await box.manager.waitForStores()
        #expect(box.images.keys.isEmpty && box.data.keys.isEmpty)
    }

    @Test func pendingStoreIsRefusedAfterTheCachesAreCleared() async throws {
        let disk = SlowStores()
        let box = Darkbox(server.loader) { $0.dataCache = disk }
        _ = try await box.load()
        await disk.gate.waitForArrivals()
        #expect(await box.manager.isCached(Darkbox.url), "a pending store is a hit")
        box.images.removeAll()
        try await disk.removeAll()
        #expect(await !box.manager.isCached(Darkbox.url))
        disk.gate.open()
        await box.manager.waitForStores()
        #expect(disk.base.keys.isEmpty)
    }

    @Test func olderResponseDoesNotReplaceANewerOne() async throws {
        let (gate, box) = (Gate(), Darkbox(server.loader))
        let old = Self.versions[1]
        let slowManager = try ImageManager {
            $0.install(
                FakeLoader { _ in
                    await gate.wait()
                    return LoadResponse(.data(PlainCoder.file(of: old)))
                })
            $0.install(PlainCoder())
            $0.imageCache = box.images
            $0.dataCache = box.data
        }
        let loaderOnly = ImageContext {
            $0.cacheUse = .loaderOnly
            $0.waitsForStore = true
        }
        let load = Task { try await slowManager.load(Darkbox.url, context: loaderOnly) }
        await gate.waitForArrivals()
        server.publish(2)
        _ = try await box.manager.load(Darkbox.url, context: loaderOnly)
        gate.open()
        #expect(Self.version(of: try await load.value) == 1)
        #expect(Self.version(of: try await box.load()) == 2)
        #expect(Self.version(of: try await box.restarted().load(Darkbox.url)) == 2)
    }

    @Test func olderResponseThatTheDiskRefusesRemovesAnEvenOlderImageFromMemory() async throws {
        let (gate, requests) = (Gate(), Counter())
        let box = Darkbox(
            FakeLoader { [server] request in
                let response = try await server.loader.load(request)
                if requests.next() == 2 { await gate.wait() }
                return response
            })
        _ = try await box.load()
        server.publish(2)
        let loaderOnly = ImageContext { $0.cacheUse = .loaderOnly }
        let load = Task { try await box.manager.load(Darkbox.url, context: loaderOnly) }
        await gate.waitForArrivals()
        server.publish(3)
        let other = box.restarted { $0.imageCache = FakeImageCache() }
        _ = try await other.load(Darkbox.url, context: Self.refresh)
        gate.open()
        #expect(Self.version(of: try await load.value) == 2)
        #expect(Self.version(of: try await box.load()) == 3)
    }

    @Test func newOriginalRemovesOldImagesFromMemoryAfterItsPredecessorWasEvicted() async throws {
        let box = Darkbox(server.loader)
        _ = try await box.manager.load(Darkbox.url, context: Self.refresh)
        let other = box.restarted { $0.imageCache = FakeImageCache() }
        #expect(try await other.load(Darkbox.url).origin == .disk)
        try await box.data.removeAll()
        server.publish(2)
        let thumbnail = ImageContext { $0.thumbnail = .fit(6, 6) }
        #expect(Self.version(of: try await other.load(Darkbox.url, context: thumbnail)) == 2)
        #expect(Self.version(of: try await other.load(Darkbox.url)) == 2)
    }

    /// No original is stored, so a load cannot know from it whether there are results of another version.
    @Test(arguments: [false, true]) func newBytesRemoveResultsWithoutAStoredOriginal(_ hasDisk: Bool) async throws {
        let box = Darkbox(server.loader) { if !hasDisk { $0.dataCache = nil } }
        func load(_ side: Double) async throws -> LoadResult {
            let context = ImageContext {
                $0.thumbnail = .fit(side, side)
                $0.cachePolicy.originalStore = []
                $0.waitsForStore = true
            }
            return try await box.manager.load(Darkbox.url, context: context)
        }
        _ = try await (load(3), load(4))
        #expect(try await load(3).origin == .memory, "both are of the same bytes")
        server.publish(2)
        #expect(Self.version(of: try await load(5)) == 2)
        #expect(Self.version(of: try await load(3)) == 2)
        #expect(Self.version(of: try await load(4)) == 2)
    }

    @Test func equalBytesAreTheSameVersionOnAllMachines() async throws {
        let one = try await Darkbox(server.loader).load().image.metadata.original
        let other = try await Darkbox(server.loader).load().image.metadata.original
        #expect(one != nil && one?.revision == other?.revision)
    }

    /// Another process has removed the source while the image was loaded.
    @Test func fileOfAnImageThatMayNotBeStoredIsNotStored() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            })
        let load = Task { try await box.load() }
        await gate.waitForArrivals()
        try await box.data.removeAll(ofSource: Darkbox.url.absoluteString)
        let encoding = Task { try await box.manager.encoded(Darkbox.url, as: .plain) }
        await StateChanges.wait { box.manager.joinedCount > 0 }
        gate.open()
        _ = try await (load.value, encoding.value)
        await box.manager.waitForStores()
        #expect(box.data.keys.isEmpty)
    }

    /// Another process has removed the source between the lookup of the file and that of its image, which the app has
    /// stored in memory itself, without a ticket.
    @Test(arguments: [false, true])
    func fileOfAnImageWhoseSourceIsRemovedAfterTheLookupIsNotStored(isRemoved: Bool) async throws {
        let disk = RemovingCache(isRemoving: isRemoved)
        let box = Darkbox { $0.dataCache = disk }
        var image = Image(info: ImageInfo(format: .plain, storedSize: Darkbox.bitmap.size), bitmap: Darkbox.bitmap)
        image.metadata.original = OriginalVersion(revision: "1")
        box.images.store(image, for: try #require(box.manager.key(for: Darkbox.url)))
        #expect(try await box.manager.encoded(Darkbox.url, as: .plain).origin == .memory)
        await box.manager.waitForStores()
        #expect(disk.base.keys.isEmpty == isRemoved && box.loader.requests.isEmpty)
    }

    /// The other manager has an image cache of its own, which does not know of the replacement.
    @Test func resultOfAnOldImageInMemoryIsNotStoredInASharedCache() async throws {
        let box = Darkbox(server.loader)
        let other = box.restarted { $0.imageCache = FakeImageCache() }
        _ = try await other.load(Darkbox.url, context: ImageContext { $0.waitsForStore = true })
        server.publish(2)
        _ = try await box.manager.load(Darkbox.url, context: Self.refresh)
        _ = try await other.encoded(Darkbox.url, as: .plain)
        let thumbnail = ImageContext {
            $0.thumbnail = .fit(6, 6)
            $0.cachePolicy.originalQuery = .memory
        }
        #expect(Self.version(of: try await other.load(Darkbox.url, context: thumbnail)) == 1)
        await other.waitForStores()
        #expect(box.data.keys == [CacheKey(source: Darkbox.url.absoluteString)])
    }
}

/// A data cache whose stores wait for the gate.
private struct SlowStores: DataCacheWrapper {
    let base = FakeDataCache()
    let gate = Gate()

    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        await gate.wait()
        try await base.store(entry, for: key, with: ticket)
    }
}

/// A data cache from which another process removes the source once a load has taken the first ticket.
private struct RemovingCache: DataCacheWrapper {
    let base = FakeDataCache()
    let isRemoving: Bool
    private let tickets = Recorder<String>()

    init(isRemoving: Bool) { self.isRemoving = isRemoving }

    func ticket(forSource source: String) async throws -> StoreTicket {
        let ticket = try await base.ticket(forSource: source)
        if isRemoving, tickets.values.isEmpty { try await base.removeAll(ofSource: source) }
        tickets.note(source)
        return ticket
    }
}
