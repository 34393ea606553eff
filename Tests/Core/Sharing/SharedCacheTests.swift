@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct SharedCacheTests {
    @Test func resultOfOneNodeServesTheOthers() async throws {
        let nodes = try Nodes(2, .hourly())
        let made = try await nodes.load(at: 0)
        #expect(made.origin == .network)
        let found = try await nodes.load(at: 1)
        #expect(found.origin == .sharedCache)
        #expect(found.image.bitmap == made.image.bitmap)
        #expect(found.report.duration(of: .shared) != nil)
        #expect(nodes.origin.requests.count == 1)
    }

    @Test func whatIsFoundIsCopiedToTheNode() async throws {
        let nodes = try Nodes(2, .hourly())
        _ = try await nodes.load(at: 0)
        _ = try await nodes.load(at: 1)
        nodes.shared.fail(with: ImageError(.network, .cache, "it is away"))
        var context = Nodes.small
        context.cachePolicy.query = .disk
        #expect(try await nodes.load(at: 1, context).origin == .disk)
    }

    @Test func originalServesOtherSizes() async throws {
        let nodes = try Nodes(2, .hourly())
        _ = try await nodes.load(at: 0)
        let other = try await nodes.load(at: 1, ImageContext { $0.thumbnail = .fit(3, 3) })
        #expect(other.origin == .sharedCache)
        #expect(other.image.size == PixelSize(3, 2))
        #expect(try await nodes.load(at: 1, ImageContext()).origin == .disk)
        #expect(nodes.origin.requests.count == 1)
    }

    /// A new image waits for one answer of the shared cache, not for two in turn.
    @Test func originalIsLookedUpTogetherWithTheResult() async throws {
        let cache = RecordingDataCache()
        let nodes = try Nodes(2, .hourly(), cache: cache)
        _ = try await nodes.load(at: 0)
        let original = CacheKey(source: Nodes.url.absoluteString)
        #expect(cache.calls.values.contains(.contains(original, false)))
        #expect(!cache.calls.values.contains(.entry(original, found: false)))
        #expect(try await nodes.load(at: 1, ImageContext { $0.thumbnail = .fit(3, 3) }).origin == .sharedCache)
        #expect(cache.calls.values.contains(.contains(original, true)))
        #expect(cache.calls.values.contains(.entry(original, found: true)))
    }

    @Test func originalOfAnEncodedResultIsLookedUpTogetherWithIt() async throws {
        let cache = RecordingDataCache()
        let nodes = try Nodes(1, .hourly(), cache: cache)
        _ = try await nodes.managers[0].encoded(Nodes.url, context: Nodes.small, as: .plain)
        let original = CacheKey(source: Nodes.url.absoluteString)
        #expect(cache.calls.values.contains(.contains(original, false)))
        #expect(!cache.calls.values.contains(.entry(original, found: false)))
    }

    @Test func encodedResultServesTheOthers() async throws {
        let nodes = try Nodes(2, .hourly())
        let made = try await nodes.managers[0].encoded(Nodes.url, context: Nodes.small, as: .plain)
        await nodes.managers[0].waitForStores()
        let found = try await nodes.managers[1].encoded(Nodes.url, context: Nodes.small, as: .plain)
        #expect(found.data == made.data)
        #expect(found.origin == .sharedCache)
        #expect(found.isCached)
        await nodes.managers[1].waitForStores()
        #expect(try await nodes.managers[1].encoded(Nodes.url, context: Nodes.small, as: .plain).origin == .disk)
        #expect(nodes.decodes.values == [0])
    }

    @Test func explainNamesTheSharedCache() async throws {
        let nodes = try Nodes(2, .hourly(), leases: FakeLeases(clock: ManualClock()))
        let cold = await nodes.managers[1].explain(Nodes.url, context: Nodes.small)
        #expect(cold.steps.map(\.location).contains("result in the shared cache"))
        #expect(cold.steps.map(\.location).contains("lease"))
        #expect(cold.origin == .network)
        _ = try await nodes.load(at: 0)
        let warm = await nodes.managers[1].explain(Nodes.url, context: Nodes.small)
        #expect(warm.origin == .sharedCache)
        #expect(try await nodes.load(at: 1).origin == .sharedCache)
    }

    @Test func encodedResultIsSharedInPlaceOfItsImage() async throws {
        let nodes = try Nodes(2, .hourly())
        let plan = await nodes.managers[0].explainEncoded(Nodes.url, context: Nodes.small, as: .plain)
        let shared = plan.steps.map(\.location).filter { $0.hasSuffix("shared cache") }
        #expect(shared == ["encoded result in the shared cache", "original in the shared cache"])
        _ = try await nodes.managers[0].encoded(Nodes.url, context: Nodes.small, as: .plain)
        await nodes.managers[0].waitForStores()
        #expect(nodes.shared.keys.count == 2, "the file and the original")
    }

    @Test(arguments: [
        ["cache-control": "private, max-age=3600"], ["cache-control": "no-store"],
        ["set-cookie": "user=1", "cache-control": "max-age=3600"],
    ])
    func whatIsForOneUserIsNotShared(_ headers: [String: String]) async throws {
        let nodes = try Nodes(2, .hourly(headers: headers))
        _ = try await nodes.load(at: 0)
        #expect(nodes.shared.keys.isEmpty)
        #expect(try await nodes.load(at: 1).origin == .network)
    }

    @Test(arguments: ["authorization", "cookie"])
    func requestWithCredentialsIsNotShared(_ field: String) async throws {
        let origin = FakeOrigin(fields: [field: "secret"], .fresh(Darkbox.file, for: .seconds(3600)))
        let nodes = try Nodes(2, origin)
        _ = try await nodes.load(at: 0)
        #expect(nodes.shared.keys.isEmpty)
        #expect(try await nodes.load(at: 1).origin == .network)
    }

    /// The loader finds its credential only while it sends the request, as after a login.
    @Test(arguments: ["authorization", "cookie"], [false, true])
    func responseToACredentialThatAppearedDuringTheLoadIsNotShared(_ field: String, isReported: Bool) async throws {
        for context in [Nodes.small, ImageContext { $0.waitsForStore = true }] {
            for isFile in [false, true] {
                let loader = LateCredentialLoader(field: field, isReported: isReported)
                let nodes = try Nodes(1, .hourly(), loader: loader)
                if isFile {
                    _ = try await nodes.managers[0].encoded(Nodes.url, context: context, as: .plain)
                    await nodes.managers[0].waitForStores()
                } else {
                    _ = try await nodes.load(at: 0, context)
                }
                #expect(!loader.requests.values.isEmpty && nodes.shared.keys.isEmpty, "file \(isFile) \(context)")
            }
        }
    }

    @Test func lifetimeForSharedCachesCounts() async throws {
        let nodes = try Nodes(3, .hourly(headers: ["cache-control": "max-age=3600, s-maxage=60"]))
        _ = try await nodes.load(at: 0)
        nodes.clock.advance(by: .seconds(30))
        #expect(try await nodes.load(at: 1).origin == .sharedCache)
        nodes.clock.advance(by: .seconds(60))
        // The origin server confirms it.
        #expect(try await nodes.load(at: 2).report.decision == .revalidated)
        // The node that received the response itself has it as a private cache does.
        #expect(try await nodes.load(at: 0).origin == .memory)
    }

    @Test func confirmationIsShared() async throws {
        let nodes = try Nodes(3, .hourly())
        _ = try await nodes.load(at: 0)
        nodes.clock.advance(by: .seconds(4000))
        #expect(try await nodes.load(at: 0).report.decision == .revalidated)
        #expect(try await nodes.load(at: 1).origin == .sharedCache)
        #expect(try await nodes.load(at: 2).origin == .sharedCache)
        #expect(nodes.origin.requests.count == 2)
    }

    @Test func confirmedOriginalIsCopiedToTheNode() async throws {
        let nodes = try Nodes(2, .hourly())
        _ = try await nodes.load(at: 0)
        nodes.clock.advance(by: .seconds(4000))
        #expect(try await nodes.load(at: 1).report.decision == .revalidated)
        #expect(nodes.disks[1].keys.contains(CacheKey(source: Nodes.url.absoluteString)))
    }

    @Test func expiredSharedOriginalReplacesAnUnreachableOriginServerAndIsNoFailureOfIt() async throws {
        let isUnreachable = Recorder<Bool>()
        let origin = FakeOrigin { _ in
            if isUnreachable.values.last == true { throw ImageError(.network, .load, "unreachable") }
            return .fresh(Darkbox.file, for: .seconds(3600))
        }
        let nodes = try Nodes(2, origin, loader: RememberingLoader(base: origin))
        _ = try await nodes.load(at: 0)
        nodes.clock.advance(by: .seconds(4000))
        isUnreachable.note(true)
        let stale = try await nodes.load(at: 1, ImageContext { $0.thumbnail = .fit(3, 3) })
        #expect(stale.isStale && stale.report.decision == .staleOnError(.network))
        isUnreachable.note(false)
        let confirmed = try await nodes.load(at: 1, ImageContext { $0.thumbnail = .fit(3, 3) })
        #expect(!confirmed.isStale && confirmed.report.decision == .revalidated)
        #expect(origin.requests.count == 3)
    }

    @Test func originalThatIsNoImageIsNotShared() async throws {
        let truncated = Darkbox.file.dropLast(9)
        let nodes = try Nodes(2, FakeOrigin(.fresh(truncated, for: .seconds(3600))))
        await #expect(throws: ImageError.self) { try await nodes.load(at: 0) }
        await nodes.managers[0].waitForStores()
        #expect(nodes.shared.keys.isEmpty)
    }

    @Test func storePolicyOfTheRequestAppliesToCopies() async throws {
        let nodes = try Nodes(2, .hourly())
        _ = try await nodes.load(at: 0)
        var context = Nodes.small
        context.cachePolicy.store = .memory
        context.cachePolicy.originalStore = .none
        #expect(try await nodes.load(at: 1, context).origin == .sharedCache)
        #expect(nodes.disks[1].keys.isEmpty)
    }

    @Test func removedImageIsGoneEverywhereAtOnce() async throws {
        let nodes = try Nodes(2, .hourly())
        _ = try await nodes.load(at: 0)
        // The engine is away, so it cannot be removed there.
        nodes.shared.fail(with: ImageError(.network, .cache, "it is away"))
        try await nodes.managers[0].removeAll(of: Nodes.url)
        await nodes.managers[0].waitForStores()
        nodes.shared.fail(with: nil)
        #expect(try await nodes.load(at: 0).origin == .network)
        // From now on, the new one is shared.
        #expect(try await nodes.load(at: 1).origin == .sharedCache)
    }

    @Test func removalReachesTheSharedCache() async throws {
        let nodes = try Nodes(2, .hourly())
        _ = try await nodes.load(at: 0)
        #expect(!nodes.shared.keys.isEmpty)
        try await nodes.managers[0].removeAll(of: Nodes.url)
        await nodes.managers[0].waitForStores()
        #expect(nodes.shared.keys.isEmpty)
    }

    /// Without a data cache, no ticket of one says that the source was removed.
    @Test(arguments: [false, true], [false, true])
    func loadInFlightDuringARemovalIsNotShared(isRemoved: Bool, isInMemory: Bool) async throws {
        let (shared, gate) = (FakeDataCache(), Gate())
        let loader = FakeLoader { request in
            await gate.wait()
            let headers = ["cache-control": "max-age=3600"]
            return LoadResponse(
                .data(Darkbox.file), metadata: ResponseMetadata(url: request.url, status: 200, headers: headers))
        }
        let manager = try ImageManager {
            $0.install(loader)
            $0.install(PlainCoder())
            $0.imageCache = isInMemory ? FakeImageCache() : nil
            $0.dataCache = nil
            $0.resultFormat = .plain
            $0.shared = SharedCaching(shared)
        }
        let load = Task { try await manager.load(Nodes.url, context: Nodes.small) }
        await gate.waitForArrivals()
        if isRemoved { try await manager.removeAll(of: Nodes.url) }
        gate.open()
        _ = try await load.value
        await manager.waitForStores()
        #expect(shared.keys.isEmpty == isRemoved)
    }

    @Test func olderVersionOfAnotherNodeDoesNotReplaceANewerOne() async throws {
        let other = Bitmap(9, 9) { _, _ in Color(red: 1, green: 2, blue: 3) }
        let origin = FakeOrigin(
            .fresh(Darkbox.file, for: .seconds(3600)),
            .fresh(PlainCoder.file(of: other), for: .seconds(3600), tag: "\"2\""))
        let nodes = try Nodes(2, origin)
        _ = try await nodes.load(at: 0)
        nodes.clock.advance(by: .seconds(10))
        // The engine is away, so the newer version is only at the node that fetched it.
        nodes.shared.fail(with: ImageError(.network, .cache, "it is away"))
        var refresh = Nodes.small
        refresh.cacheUse = .refresh
        #expect(try await nodes.load(at: 0, refresh).image.info.size == PixelSize(9, 9))
        nodes.shared.fail(with: nil)
        let larger = try await nodes.load(at: 0, ImageContext { $0.thumbnail = .fit(8, 8) })
        #expect(larger.image.info.size == PixelSize(9, 9))
    }

    @Test func failingCacheIsAMiss() async throws {
        let observer = FailureCounter()
        let nodes = try Nodes(1, .hourly(), observer: observer)
        nodes.shared.fail(with: ImageError(.network, .cache, "it is away"))
        #expect(try await nodes.load(at: 0).origin == .network)
        #expect(!observer.failures.values.isEmpty)
    }

    @Test func cacheThatHangsDelaysALoadByItsBudgetOnly() async throws {
        let gate = Gate()
        let hanging = HangingDataCache(gate: gate)
        let clock = ManualClock(skipsSleeps: true)
        let box = Darkbox(FakeLoader { _ in LoadResponse(.data(Darkbox.file)) }) {
            var options = SharedCaching(hanging)
            options.clock = clock
            $0.shared = options
        }
        let result = try await box.load { $0.thumbnail = .fit(6, 6) }
        #expect(result.origin == .network)
        // All lookups of the load together.
        #expect(clock.now.offset == .milliseconds(500))
        gate.open()
    }
}

/// Counts the failures of caches.
private struct FailureCounter: LoadObserver {
    let failures = Recorder<Bool>()

    func loadEnded(_ record: LoadRecord) {}
    func cacheFailed(_ error: any Error, isRead: Bool, key: CacheKey) { failures.note(isRead) }
}

/// A loader that sends a credential, which it does not know before it is called.
private struct LateCredentialLoader: ImageLoader {
    let field: String
    /// Whether its response has the fields that were sent.
    let isReported: Bool
    let requests = Recorder<URL>()

    func canLoad(_ url: URL) -> Bool { true }
    func requestFields(for request: LoadRequest) -> [String: String] { requests.values.isEmpty ? [:] : sent }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        requests.note(request.url)
        let headers = ["cache-control": "max-age=3600"]
        var response = LoadResponse(
            .data(Darkbox.file), metadata: ResponseMetadata(url: request.url, status: 200, headers: headers))
        if isReported { response.requestFields = sent }
        return response
    }

    private var sent: [String: String] { [field: "secret"] }
}

/// A loader whose every failure is remembered.
private struct RememberingLoader: LoaderWrapper {
    let base: FakeOrigin

    func remembers(_ error: ImageError) -> Bool { true }
}

/// A data cache that does not answer while its gate is closed.
private struct HangingDataCache: DataCache {
    let gate: Gate

    func entry(for key: CacheKey) async throws -> DataEntry? {
        await gate.wait()
        return nil
    }
    func store(_ entry: DataEntry, for key: CacheKey) async throws { await gate.wait() }
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws { await gate.wait() }
    func contains(_ key: CacheKey) async throws -> Bool { false }
    func remove(_ key: CacheKey) async throws { await gate.wait() }
    func removeAll(ofSource source: String) async throws { await gate.wait() }
    func removeAll() async throws { await gate.wait() }
}
