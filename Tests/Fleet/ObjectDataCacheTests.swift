import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomFleet

@Suite(.bounded)
struct ObjectDataCacheTests {
    private let clock = ManualClock()
    private let objects = FakeObjectStore(clock: ManualClock())
    private let entry = DataEntry(Data([1]), metadata: .init(storedAt: Date()))

    private func key(_ number: Int) -> CacheKey { CacheKey(source: "http://example.com/\(number).png") }

    /// A request asks for the original while it waits for the result, and must not wait for a silent store again.
    @Test func silenceEndsTheTierForTheRequest() async throws {
        let cache = ObjectDataCache(objects, purges: nil, configuration: .init(), clock: clock)
        let silence = ImageError(.timedOut, .cache, "it does not answer")
        objects.fail(.get, .contains, with: silence)
        let reads: [@Sendable () async throws -> Void] = [
            { _ = try await cache.entry(for: key(1)) }, { _ = try await cache.contains(key(1)) },
        ]
        for read in reads {
            let budget = TierBudget(.seconds(1), clock: clock)
            await TierBudget.$current.withValue(budget) {
                await #expect(throws: ImageError.self) { try await read() }
            }
            #expect(budget.remaining == .zero)
        }
    }

    /// Otherwise, requests queue behind reads that end at their deadlines.
    @Test func onlyOneRequestAtATimeWaitsForASilentStore() async throws {
        let objects = FakeObjectStore(clock: clock)
        let cache = ObjectDataCache(objects, purges: nil, configuration: .init(), clock: clock)
        let gate = Gate()
        objects.hold(.get, at: gate)
        let first = Task { try await cache.entry(for: key(1)) }
        await gate.waitForArrivals()
        await clock.waitForSleeps()
        clock.advance(by: .milliseconds(400))
        await #expect(throws: ImageError.self) { try await first.value }
        let trial = Task { try await cache.entry(for: key(2)) }
        await gate.waitForArrivals(2)
        let budget = TierBudget(.seconds(1), clock: clock)
        let error = await TierBudget.$current.withValue(budget) {
            await #expect(throws: ImageError.self) { try await cache.contains(key(3)) }
        }
        #expect(error?.kind == .busy && budget.remaining == .zero)
        gate.open()
        #expect(try await trial.value == nil)
        #expect(try await !cache.contains(key(3)))
    }

    /// Otherwise, each request waits for the deadline: misses and stores succeed, and keep the other breaker closed.
    @Test(arguments: [true, false]) func storeThatDoesNotDeliverIsNotRead(deliversLater: Bool) async throws {
        let cache = ObjectDataCache(objects, purges: nil, configuration: .init(), clock: clock)
        let small = CacheKey(source: key(0).source, variant: ["Small"])
        try await cache.store(entry, for: small)
        for number in 1...10 {
            #expect(try await cache.entry(for: key(number)) == nil)
            #expect(try await cache.contains(small))
            objects.fail(.get, with: ImageError(.timedOut, .cache, "its disk hangs"))
            #expect(cache.reachesOthers)
            await #expect(throws: ImageError.self) { try await cache.entry(for: key(0)) }
            objects.fail(.get, with: nil)
        }
        let error = await #expect(throws: ImageError.self) { try await cache.entry(for: key(0)) }
        #expect(error?.kind == .busy && objects.callCount(of: .get) == 20)
        #expect(!cache.reachesOthers && cache.statistics.objectBreaker == .open)
        // A few misses after the pause prove nothing, but an object does, and so do many misses.
        clock.advance(by: .seconds(1))
        for number in 1...9 { #expect(try await cache.entry(for: key(number)) == nil) }
        #expect(!cache.reachesOthers)
        _ = try await cache.entry(for: deliversLater ? small : key(10))
        #expect(cache.reachesOthers)
    }

    @Test func storesOfResultsDoNotWaitForOriginals() async throws {
        var configuration = SharedTier.Configuration()
        configuration.originalDelay = .zero
        configuration.writeLimit = 8
        let cache = ObjectDataCache(objects, purges: nil, configuration: configuration, clock: clock)
        let gate = Gate()
        objects.hold(.put, at: gate)
        let originals = (0..<8).map { number in Task { try await cache.store(entry, for: key(number)) } }
        await gate.waitForArrivals(2)
        let result = Task { try await cache.store(entry, for: CacheKey(source: key(1).source, variant: ["Small"])) }
        await gate.waitForArrivals(3)
        #expect(objects.calls.values.count == 3)
        gate.open()
        for store in originals + [result] { try await store.value }
        #expect(objects.names.count == 9)
    }

    /// Otherwise, the time in the queue would count as a difference of the clocks.
    @Test func objectIsDatedWhenItIsSent() async throws {
        var configuration = SharedTier.Configuration()
        configuration.writeLimit = 1
        let cache = ObjectDataCache(objects, purges: nil, configuration: configuration, clock: clock)
        let keys = [1, 2].map { CacheKey(source: key($0).source, variant: ["Small"]) }
        let gate = Gate()
        objects.hold(.put, at: gate)
        let first = Task { try await cache.store(entry, for: keys[0]) }
        await gate.waitForArrivals()
        let second = Task { try await cache.store(entry, for: keys[1]) }
        await StateChanges.wait { cache.writes.queue.waitingCount == 1 }
        let date = Date()
        gate.open()
        for store in [first, second] { try await store.value }
        let names = ObjectNames(prefix: configuration.prefix, encoderVersion: configuration.encoderVersion)
        let bytes = try #require(objects.bytes(of: names.name(of: keys[1])))
        // If it was dated before, it is moved forward.
        let read = try Envelope().entry(in: StoredObject(bytes, age: .zero), for: keys[1], at: date)
        #expect(read.metadata.storedAt <= entry.metadata.storedAt)
    }

    @Test func entryAboveTheLimitIsNoFailureOfTheStore() async throws {
        var configuration = SharedTier.Configuration()
        (configuration.originalDelay, configuration.objectByteLimit) = (.zero, 10)
        (configuration.breaker.minimumCallCount, configuration.breaker.pause) = (1, .seconds(3600))
        let cache = ObjectDataCache(objects, purges: nil, configuration: configuration, clock: clock)
        let error = await #expect(throws: ImageError.self) { try await cache.store(entry, for: key(1)) }
        #expect(error?.kind == .overLimit && objects.calls.values.isEmpty)
        #expect(cache.statistics.failedWrites == 0 && cache.statistics.objectBreaker == .closed)
    }

    @Test func removalsAreMadeWhileTheBreakerIsOpen() async throws {
        var configuration = SharedTier.Configuration()
        configuration.originalDelay = .zero
        (configuration.breaker.minimumCallCount, configuration.breaker.pause) = (1, .seconds(3600))
        let other = ObjectDataCache(objects, purges: nil, configuration: configuration, clock: clock)
        for number in 1...2 { try await other.store(entry, for: key(number)) }
        let cache = ObjectDataCache(objects, purges: nil, configuration: configuration, clock: clock)
        objects.fail(.contains, with: ImageError(.network, .cache, "it is away"))
        await #expect(throws: ImageError.self) { try await cache.contains(key(1)) }
        #expect(cache.statistics.objectBreaker == .open)
        try await cache.removeAll(ofSource: key(1).source)
        try await cache.remove(key(2))
        #expect(objects.names.isEmpty)
    }

    /// A purge must reach the other nodes, so it waits for a store that is in trouble, instead of being refused.
    @Test func removalsAreMadeWhileWritesHang() async throws {
        var configuration = SharedTier.Configuration()
        configuration.originalDelay = .zero
        let cache = ObjectDataCache(objects, purges: nil, configuration: configuration, clock: clock)
        try await cache.store(entry, for: key(9))
        let gate = Gate()
        objects.hold(.put, at: gate)
        let stores = (0..<4).map { number in Task { try await cache.store(entry, for: key(number)) } }
        await gate.waitForArrivals(4)
        clock.advance(by: .seconds(1))
        #expect(!cache.reachesOthers)
        let error = await #expect(throws: ImageError.self) { try await cache.store(entry, for: key(5)) }
        #expect(error?.kind == .busy)
        #expect(cache.statistics.failedWrites == 1)
        try await cache.removeAll(ofSource: key(9).source)
        #expect(objects.names.isEmpty)
        gate.open()
        for store in stores { try await store.value }
        #expect(cache.reachesOthers)
        #expect(objects.names.count == 4)
    }

    /// Otherwise, nothing would be stored for minutes, and no leases taken, while only removals hang.
    @Test func removalsThatHangAreNoStall() async throws {
        var configuration = SharedTier.Configuration()
        configuration.originalDelay = .zero
        let cache = ObjectDataCache(objects, purges: nil, configuration: configuration, clock: clock)
        let gate = Gate()
        objects.hold(.remove, .removeAll, at: gate)
        let removals = (0..<20).map { number in
            Task {
                let key = key(number)
                if number == 0 {
                    try await cache.remove(key)
                } else {
                    try await cache.removeAll(ofSource: key.source)
                }
            }
        }
        await gate.waitForArrivals(4)
        await StateChanges.wait { cache.removals.queue.waitingCount == 16 }
        clock.advance(by: configuration.writeDeadline)
        #expect(cache.reachesOthers && !cache.statistics.areWritesStalled)
        try await cache.store(entry, for: key(20))
        #expect(objects.names.count == 1)
        #expect(objects.callCount(of: .remove) + objects.callCount(of: .removeAll) == 4)
        gate.open()
        for removal in removals { try await removal.value }
    }

    @Test func storesThatHangAreAStallWhileRemovalsEnd() async throws {
        var configuration = SharedTier.Configuration()
        configuration.originalDelay = .zero
        let cache = ObjectDataCache(objects, purges: nil, configuration: configuration, clock: clock)
        let gate = Gate()
        objects.hold(.put, at: gate)
        let stores = (0..<4).map { number in Task { try await cache.store(entry, for: key(number)) } }
        await gate.waitForArrivals(4)
        for _ in 0..<2 {
            clock.advance(by: configuration.writePatience / 2)
            try await cache.removeAll(ofSource: key(9).source)
        }
        #expect(!cache.reachesOthers && cache.statistics.areWritesStalled)
        gate.open()
        for store in stores { try await store.value }
    }

    /// Otherwise they would hang as well, four at a time: 160 seconds for 64 originals.
    @Test func storesThatWaitThroughAStallAreRefused() async throws {
        var configuration = SharedTier.Configuration()
        configuration.originalDelay = .zero
        let objects = FakeObjectStore(clock: clock)
        let cache = ObjectDataCache(objects, purges: nil, configuration: configuration, clock: clock)
        objects.hold(.put, at: Gate())
        let stores = (0..<20).map { number in Task { try await cache.store(entry, for: key(number)) } }
        await clock.waitForSleeps(4)
        await StateChanges.wait { cache.originals.waitingCount == 16 }
        // Those in flight go on hanging.
        objects.hold(.put, at: nil)
        clock.advance(by: configuration.writeDeadline)
        var kinds: [ImageError.Kind?] = []
        for store in stores {
            let error = await #expect(throws: ImageError.self) { try await store.value }
            kinds.append(error?.kind)
        }
        #expect(kinds.count { $0 == .timedOut } == 4 && kinds.count { $0 == .busy } == 16)
        #expect(objects.callCount(of: .put) == 4 && cache.statistics.failedWrites == 20)
        // The next one shows whether the store has recovered.
        try await cache.store(entry, for: key(20))
        #expect(objects.names.count == 1)
    }
}
