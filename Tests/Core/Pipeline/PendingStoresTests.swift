@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct PendingStoresTests {
    private let place = PendingStores.Place(key: CacheKey(source: "a"))

    private func place(_ source: String) -> PendingStores.Place { .init(key: CacheKey(source: source)) }

    @Test func deliveryDoesNotWaitForTheDisk() async throws {
        let (gate, disk) = (Gate(), FakeDataCache())
        let box = Darkbox { $0.dataCache = SlowCache(base: disk, gate: gate) }
        #expect(try await box.load().origin == .network)
        #expect(disk.keys.isEmpty)
        // A pending entry is a hit, so nothing is fetched twice.
        box.images.removeAll()
        let small = ImageContext {
            $0.thumbnail = .fit(6, 6)
            $0.scale = 2
        }
        #expect(try await box.manager.load(Darkbox.url, context: small).origin == .original)
        #expect(box.manager.cachedImage(for: Darkbox.url, context: small)?.metadata.scale == 2)
        box.images.removeAll()
        #expect(await box.manager.isCached(Darkbox.url, context: small))
        #expect(box.loader.requests.count == 1)
        gate.open()
        await box.manager.waitForStores()
        #expect(disk.keys.count == 2)
    }

    @Test func loadExcludedFromTheCachesDoesNotWaitForStores() async throws {
        struct NoKey: CacheKeyFilter {
            func key(for url: URL, soFar text: String, context: ImageContext) -> String? { nil }
        }
        let gate = Gate()
        let box = Darkbox { $0.dataCache = SlowCache(base: FakeDataCache(), gate: gate) }
        _ = try await box.load()
        await gate.waitForArrivals()
        let result = try await box.load {
            $0.keyFilters = [NoKey()]
            $0.waitsForStore = true
        }
        #expect(result.key == nil)
        gate.open()
    }

    @Test func pendingStoreDoesNotSurviveARemoval() async throws {
        let (gate, disk) = (Gate(), FakeDataCache())
        let box = Darkbox { $0.dataCache = SlowCache(base: disk, gate: gate) }
        _ = try await box.load()
        await gate.waitForArrivals()
        let removal = Task.immediate { try await box.manager.removeAll(of: Darkbox.url) }
        gate.open()
        try await removal.value
        #expect(disk.keys.isEmpty)
    }

    /// The cache cannot say whether the entry has been replaced meanwhile.
    @Test func pendingStoreThatIsRefusedIsNotServed() async throws {
        let gate = Gate()
        let box = Darkbox { $0.dataCache = RefusingCache(base: SlowCache(base: FakeDataCache(), gate: gate)) }
        _ = try await box.load()
        await gate.waitForArrivals()
        box.images.removeAll()
        #expect(await !box.manager.isCached(Darkbox.url))
        #expect(try await box.load().origin == .network)
        gate.open()
        await box.manager.waitForStores()
    }

    /// Both caches have the first generation of the source, so their tickets look the same.
    @Test(arguments: [false, true])
    func storeToACacheOfAContextIsNotTakenForOneToThatOfTheManager(_ isOriginalCache: Bool) async throws {
        let (gate, own) = (Gate(), FakeDataCache())
        let box = Darkbox()
        _ = try await box.load {
            let cache = SlowCache(base: own, gate: gate)
            if isOriginalCache { $0.originalCache = cache } else { $0.dataCache = cache }
        }
        await gate.waitForArrivals()
        box.images.removeAll()
        #expect(await !box.manager.isCached(Darkbox.url))
        #expect(try await box.load().origin == .network)
        gate.open()
        await box.manager.waitForStores()
        #expect(own.keys.count == 1 && box.data.keys.count == 1)
    }

    @Test func storeToACacheOfAContextDoesNotHideOneToThatOfTheManager() async throws {
        let gate = Gate()
        let box = Darkbox { $0.dataCache = SlowCache(base: FakeDataCache(), gate: gate) }
        _ = try await box.load()
        await gate.waitForArrivals()
        _ = try await box.load {
            $0.dataCache = SlowCache(base: FakeDataCache(), gate: gate)
            $0.cacheUse = .loaderOnly
        }
        await gate.waitForArrivals(2)
        box.images.removeAll()
        #expect(await box.manager.isCached(Darkbox.url))
        #expect(try await box.load().origin == .disk)
        #expect(box.loader.requests.count == 2)
        gate.open()
        await box.manager.waitForStores()
    }

    @Test func storesOfOneKeyRunInOrder() async {
        let (stores, written, gate) = (PendingStores(), Recorder<Int>(), Gate())
        for index in 0..<20 {
            let entry = DataEntry(Data([UInt8(index)]))
            _ = stores.store(.init(byteCount: 1, entry: entry), at: place) {
                if index == 0 { await gate.wait() }
                written.note(index)
            }
        }
        #expect(stores.content(at: place)?.entry?.data == Data([19]))
        gate.open()
        await stores.wait()
        #expect(written.values == Array(0..<20))
        #expect(stores.content(at: place)?.entry == nil)
    }

    @Test func nothingIsStoredWhileTooManyBytesArePending() async {
        let (stores, gate) = (PendingStores(byteLimit: 10), Gate())
        #expect(stores.store(.init(byteCount: 10), at: place) { await gate.wait() })
        #expect(!stores.store(.init(byteCount: 1), at: place("b")) { Issue.record("it was stored") })
        gate.open()
        await stores.wait()
        #expect(stores.store(.init(byteCount: 1), at: place("b")) {})
    }

    /// A disk that does not respond must not keep pictures from being shown, however many there are.
    @Test func storeThatHangsDelaysNoDelivery() async throws {
        let (gate, disk, failures) = (Gate(), FakeDataCache(), Recorder<ImageError>())
        let box = Darkbox(
            FakeLoader { _ in LoadResponse(.data(Darkbox.file + Data(count: 12 << 20))) }
        ) {
            $0.dataCache = SlowCache(base: disk, gate: gate)
            $0.observers = [FailureObserver(failures: failures)]
        }
        for index in 0..<5 {
            let url = try #require(URL(string: "http://example.com/\(index).plain"))
            #expect(try await box.manager.load(url).origin == .network)
        }
        #expect(failures.values.map(\.kind) == [.busy, .busy])
        gate.open()
        await box.manager.waitForStores()
        #expect(disk.keys.count == 3)
    }

    @Test(arguments: [Int.max, Int.min])
    func byteCountOfAStoreMayBeAnyNumber(byteCount: Int) async {
        let (stores, gate) = (PendingStores(byteLimit: 10), Gate())
        #expect(stores.store(.init(byteCount: byteCount), at: place) { await gate.wait() })
        #expect(stores.store(.init(byteCount: 10), at: place("b")) {} == (byteCount < 0))
        gate.open()
        await stores.wait()
        // The byte count is right again, so that a small store is possible.
        #expect(stores.store(.init(byteCount: 10), at: place("c")) {})
        await stores.wait()
    }

    @Test func declaredMemoryCostDoesNotDelayDelivery() async throws {
        let (gate, disk) = (Gate(), FakeDataCache())
        let box = Darkbox(
            FakeLoader { _ in
                var image = Image(
                    info: ImageInfo(format: .plain, storedSize: Darkbox.bitmap.size), bitmap: Darkbox.bitmap)
                image.metadata.memoryCost = .max
                return LoadResponse(.image(image))
            }
        ) { $0.dataCache = SlowCache(base: disk, gate: gate) }
        _ = try await box.load { $0.thumbnail = .fit(6, 6) }
        #expect(disk.keys.isEmpty)
        gate.open()
        await box.manager.waitForStores()
        #expect(disk.keys.count == 1)
    }
}

/// A cache that may only be read.
private struct RefusingCache<Base: DataCache>: DataCacheWrapper {
    let base: Base

    func ticket(forSource source: String) async throws -> StoreTicket { .refused }
    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        .refused
    }
}

/// An observer of failed stores.
private struct FailureObserver: LoadObserver {
    let failures: Recorder<ImageError>

    func loadEnded(_ record: LoadRecord) {}
    func cacheFailed(_ error: any Error, isRead: Bool, key: CacheKey) { failures.note(ImageError(error, in: .cache)) }
}

/// A data cache whose stores wait for the gate.
private struct SlowCache: DataCacheWrapper {
    let base: FakeDataCache
    let gate: Gate

    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        await gate.wait()
        try await base.store(entry, for: key, with: ticket)
    }
}
