@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PendingStoresTests {
    private let key = CacheKey(source: "a")

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

    @Test func storesOfOneKeyRunInOrder() async {
        let (stores, written, gate) = (PendingStores(), Recorder<Int>(), Gate())
        for index in 0..<20 {
            let entry = DataEntry(DataEntry(Data([UInt8(index)])))
            await stores.store(.init(byteCount: 1, entry: entry), for: key) {
                if index == 0 { await gate.wait() }
                written.note(index)
            }
        }
        #expect(stores.content(for: key)?.entry?.data == Data([19]))
        gate.open()
        await stores.wait()
        #expect(written.values == Array(0..<20))
        #expect(stores.content(for: key)?.entry == nil)
    }

    @Test func callersWaitWhenTooManyBytesArePending() async {
        let (stores, gate, passed) = (PendingStores(byteLimit: 10), Gate(), Recorder<Int>())
        await stores.store(.init(byteCount: 10), for: key) { await gate.wait() }
        let caller = Task.immediate {
            await stores.store(.init(byteCount: 1), for: CacheKey(source: "b")) { await gate.wait() }
            passed.note(1)
        }
        await gate.waitForArrivals(2)
        #expect(passed.values.isEmpty)
        gate.open()
        await caller.value
        #expect(passed.values == [1])
    }

    @Test(arguments: [Int.max, Int.min])
    func byteCountOfAStoreMayBeAnyNumber(byteCount: Int) async {
        let stores = PendingStores(byteLimit: 10)
        let gate = Gate()
        async let first: Void = stores.store(.init(byteCount: byteCount), for: key) { await gate.wait() }
        await gate.waitForArrivals()
        async let second: Void = stores.store(.init(byteCount: byteCount), for: CacheKey(source: "b")) {
            await gate.wait()
        }
        await gate.waitForArrivals(2)
        gate.open()
        _ = await (first, second)
        // The byte count is right again, so a small store does not wait.
        let (last, passed) = (Gate(), Recorder<Int>())
        await stores.store(.init(byteCount: 10), for: CacheKey(source: "c")) { await last.wait() }
        let caller = Task.immediate {
            await stores.store(.init(byteCount: 1), for: CacheKey(source: "d")) { await last.wait() }
            passed.note(1)
        }
        await last.waitForArrivals(2)
        #expect(passed.values.isEmpty)
        last.open()
        await caller.value
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

/// A data cache whose stores wait for the gate.
private struct SlowCache: DataCacheWrapper {
    let base: FakeDataCache
    let gate: Gate

    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        await gate.wait()
        try await base.store(entry, for: key, with: ticket)
    }
}
