import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A channel in memory that all nodes of a test share.
private final class FakePurges: PurgeChannel {
    let isFollowed = Gate()
    private let listeners = Mutex<[AsyncStream<Purge>.Continuation]>([])

    func publish(_ purge: Purge, deadline: Duration) async throws {
        for listener in listeners.withLock({ $0 }) { listener.yield(purge) }
    }

    func purges() -> AsyncStream<Purge> {
        let (stream, continuation) = AsyncStream.makeStream(of: Purge.self)
        listeners.withLock { $0.append(continuation) }
        isFollowed.open()
        return stream
    }

    func finish() { for listener in listeners.withLock({ $0 }) { listener.finish() } }
}

@Suite(.bounded)
struct SharedTierTests {
    private static let url = URL(string: "http://example.com/a.plain")!
    private let context = ImageContext { $0.thumbnail = .fit(6, 6) }
    private let objects = FakeObjectStore()

    private var configuration: SharedTier.Configuration {
        var configuration = SharedTier.Configuration()
        // However slow the machine is.
        configuration.budget = .seconds(600)
        return configuration
    }

    private func origin() -> FakeOrigin {
        let bitmap = Bitmap(12, 8) { x, y in Color(red: UInt8(x * 20), green: UInt8(y * 30), blue: 99) }
        return FakeOrigin(.fresh(PlainCoder.file(of: bitmap), for: .seconds(3600)))
    }

    private func node(_ origin: FakeOrigin, _ tier: SharedTier, disk: FakeDataCache = .init()) throws -> ImageManager {
        try ImageManager {
            $0.install(origin)
            $0.install(PlainCoder())
            $0.dataCache = disk
            $0.resultFormat = .plain
            $0.install(tier)
        }
    }

    private func load(_ manager: ImageManager) async throws -> LoadResult {
        let result = try await manager.load(Self.url, context: context)
        await manager.waitForStores()
        return result
    }

    @Test func nodesFindWhatOthersHaveMade() async throws {
        let (origin, tier) = (
            origin(),
            SharedTier(
                objects: objects, leases: FakeLeases(clock: ManualClock()), configuration: configuration)
        )
        let made = try await load(node(origin, tier))
        let found = try await load(node(origin, tier))
        #expect(found.origin == .sharedCache)
        #expect(found.image.bitmap == made.image.bitmap)
        #expect(origin.requests.count == 1)
        #expect(tier.statistics.hits == 1)
        // The original and the result.
        #expect(tier.statistics.stores == 2)
        #expect(objects.names.count == 2)
        #expect(tier.statistics.leases.granted == 2)
    }

    @Test func damagedObjectHeals() async throws {
        let (origin, tier) = (origin(), SharedTier(objects: objects, configuration: configuration))
        _ = try await load(node(origin, tier))
        for name in objects.names { objects.set(objects.bytes(of: name)?.dropLast(), as: name) }
        #expect(try await load(node(origin, tier)).origin == .network)
        #expect(tier.statistics.mismatches == 2)
        #expect(try await load(node(origin, tier)).origin == .sharedCache)
    }

    @Test func entryAboveTheLimitIsNotStored() async throws {
        var configuration = configuration
        configuration.objectByteLimit = 100
        let tier = SharedTier(objects: objects, configuration: configuration)
        #expect(try await load(node(origin(), tier)).origin == .network)
        #expect(objects.names.isEmpty)
    }

    @Test func storeThatFailsIsNotCalledForAWhile() async throws {
        var configuration = configuration
        configuration.breaker.minimumCallCount = 4
        configuration.breaker.window = .seconds(3600)
        configuration.breaker.pause = .seconds(3600)
        objects.fail(.get, .put, with: ImageError(.network, .cache, "it is away"))
        let (origin, tier) = (origin(), SharedTier(objects: objects, configuration: configuration))
        for _ in 0..<4 { #expect(try await load(node(origin, tier)).origin == .network) }
        #expect(tier.statistics.objectBreaker == .open)
        #expect(tier.statistics.isDegraded)
        let count = objects.calls.values.count
        #expect(try await load(node(origin, tier)).origin == .network)
        #expect(objects.calls.values.count == count)
    }

    @Test func requestContinuesWithoutAStoreThatIsSilent() async throws {
        let leases = FakeLeases(clock: ManualClock())
        let (origin, tier) = (origin(), SharedTier(objects: objects, leases: leases, configuration: configuration))
        objects.fail(.get, with: ImageError(.timedOut, .cache, "it is silent"))
        #expect(try await load(node(origin, tier)).origin == .network)
        // Neither is the original looked for, nor does the request wait for other nodes.
        #expect(objects.callCount(of: .get) == 1)
        #expect(leases.counts.requests == 0)
    }

    @Test func nobodyWaitsForLeasesWhileWritesHang() async throws {
        var configuration = configuration
        configuration.writeLimit = 1
        configuration.writePatience = .zero
        let (gate, leases) = (Gate(), FakeLeases(clock: ManualClock()))
        objects.hold(.put, at: gate)
        configuration.writeDeadline = .seconds(600)
        let (origin, tier) = (origin(), SharedTier(objects: objects, leases: leases, configuration: configuration))
        let (first, second) = try (node(origin, tier), node(origin, tier))
        _ = try await first.load(Self.url, context: context)
        await gate.waitForArrivals()
        #expect(tier.statistics.areWritesStalled)
        #expect(tier.statistics.isDegraded)
        let count = leases.counts.requests
        #expect(try await second.load(Self.url, context: context).origin == .network)
        #expect(leases.counts.requests == count)
        gate.open()
        await first.waitForStores()
        await second.waitForStores()
        #expect(!tier.statistics.areWritesStalled)
    }

    @Test func leasesWithoutAnswerAreNotAskedForAWhile() async throws {
        var configuration = configuration
        configuration.breaker.minimumCallCount = 4
        configuration.breaker.window = .seconds(3600)
        configuration.breaker.pause = .seconds(3600)
        let leases = FakeLeases(clock: ManualClock())
        leases.isReachable = false
        let (origin, tier) = (origin(), SharedTier(objects: objects, leases: leases, configuration: configuration))
        for _ in 0..<4 {
            _ = try await load(node(origin, tier))
            for name in objects.names { objects.set(nil, as: name) }
        }
        #expect(tier.statistics.leaseBreaker == .open)
        let count = leases.counts.requests
        _ = try await load(node(origin, tier))
        #expect(leases.counts.requests == count)
    }

    /// Otherwise, the other nodes serve what is removed until an object store that hangs has removed everything.
    @Test(arguments: [false, true])
    func purgeIsAnnouncedAndOthersAreStoredWhileARemovalHangs(isOfEverything: Bool) async throws {
        let (purges, gate) = (FakePurges(), Gate())
        var configuration = configuration
        configuration.writeDeadline = .seconds(600)
        let manager = try node(origin(), SharedTier(objects: objects, purges: purges, configuration: configuration))
        objects.hold(.removeAll, at: gate)
        var announced = purges.purges().makeAsyncIterator()
        if isOfEverything { try await manager.removeAll() } else { try await manager.removeAll(of: Self.url) }
        let purge = await announced.next()
        #expect(purge == (isOfEverything ? .all : .source(Self.url.absoluteString)))
        let other = try #require(URL(string: "http://example.com/b.plain"))
        _ = try await manager.load(other, context: context)
        await StateChanges.wait { [objects] in objects.callCount(of: .put) == 2 }
        gate.open()
        await manager.waitForStores()
        #expect(isOfEverything || objects.names.count == 2)
    }

    /// The purge has removed the objects before these arrive.
    @Test func storeInFlightDuringThePurgeOfAnotherNodeIsRemovedAgain() async throws {
        let gate = Gate()
        var configuration = configuration
        configuration.writeDeadline = .seconds(600)
        let tier = SharedTier(objects: objects, configuration: configuration)
        let manager = try node(origin(), tier)
        objects.hold(.put, at: gate)
        _ = try await manager.load(Self.url, context: context)
        // The original and the result.
        await gate.waitForArrivals(2)
        await manager.purge(source: Self.url.absoluteString)
        gate.open()
        await manager.waitForStores()
        #expect(tier.statistics.stores == 2)
        #expect(objects.names.isEmpty)
        #expect(try await load(manager).origin == .network)
        #expect(objects.names.count == 2)
    }

    @Test func removalReachesTheOtherNodes() async throws {
        let purges = FakePurges()
        let (origin, tier) = (origin(), SharedTier(objects: objects, purges: purges, configuration: configuration))
        let disk = FakeDataCache()
        let (first, second) = try (node(origin, tier), node(origin, tier, disk: disk))
        _ = try await load(first)
        _ = try await load(second)
        #expect(!disk.keys.isEmpty)
        let following = Task { await tier.followPurges(with: second) }
        await purges.isFollowed.wait()
        try await first.removeAll(of: Self.url)
        await first.waitForStores()
        purges.finish()
        await following.value
        #expect(disk.keys.isEmpty)
        #expect(objects.names.isEmpty)
    }
}
