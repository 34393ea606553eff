import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Tests loads whose caches have large entries in all combinations of states.
///
/// Each picture needs more memory than all transfers may have together, and so waits until no other load is complete or holds any.
/// A load that waits for itself would never end.
@Suite(.bounded) struct LargeEntryCombinationTests {
    /// The state of the entry of an original or a result in a cache.
    enum State: CaseIterable {
        case missing, fresh, expired, broken
    }

    enum Reply: CaseIterable {
        case unchanged, changed, none
    }

    private static let url = URL(string: "http://example.com/a.plain")!
    private static let original = CacheKey(source: url.absoluteString)
    private static let context = ImageContext { $0.thumbnail = .fit(270, 270) }

    private let budget = MemoryBudget(byteLimit: 256 << 10)
    private let time = ManualClock()

    /// Returns the response of the origin server with a picture of 313,611 bytes.
    private static func response(_ version: Int) -> FakeOrigin.Response {
        .fresh(
            PlainCoder.file(of: .testCard(280, 280, number: version)), for: .seconds(3600), tag: "\"\(version)\"")
    }

    private func manager(_ origin: FakeOrigin, disk: FakeDataCache, shared: FakeDataCache) throws -> ImageManager {
        try ImageManager { [budget, time] in
            $0.install(origin)
            $0.install(PlainCoder())
            $0.dataCache = disk
            $0.resultFormat = .plain
            $0.now = { time.date }
            $0.shared = SharedCaching(shared)
            // No time passes, however slow the machine is.
            $0.shared?.clock = ManualClock()
            $0.memoryBudget = budget
        }
    }

    /// Returns the entries that a load at this time stores in the shared cache.
    private func entries(_ version: Int) async throws -> [CacheKey: DataEntry] {
        let cache = FakeDataCache()
        let manager = try manager(FakeOrigin(Self.response(version)), disk: FakeDataCache(), shared: cache)
        _ = try await manager.load(Self.url, context: Self.context)
        await manager.waitForStores()
        var entries: [CacheKey: DataEntry] = [:]
        for key in cache.keys { entries[key] = try await cache.entry(for: key) }
        return entries
    }

    @Test(arguments: Reply.allCases)
    func loadsEnd(_ reply: Reply) async throws {
        let expired = try await entries(1)
        time.advance(by: .seconds(4000))
        let fresh = try await entries(2)
        let result = try #require(fresh.keys.first { $0 != Self.original })
        func cache(original: State, result resultState: State) async throws -> FakeDataCache {
            let cache = FakeDataCache()
            for (key, state) in [(Self.original, original), (result, resultState)] where state != .missing {
                var entry = try #require((state == .expired ? expired : fresh)[key])
                if state == .broken { entry.data.removeLast(800) }
                try await cache.store(entry, for: key)
            }
            return cache
        }
        let states = State.allCases.flatMap { original in State.allCases.map { (original: original, result: $0) } }
        for disk in states {
            for shared in states {
                let origin = FakeOrigin { _ in
                    guard reply != .none else { throw ImageError(.network, .load, "unreachable") }
                    return Self.response(reply == .unchanged ? 2 : 3)
                }
                let manager = try manager(
                    origin, disk: try await cache(original: disk.original, result: disk.result),
                    shared: try await cache(original: shared.original, result: shared.result))
                let comment: Comment = "on disk \(disk), shared \(shared)"
                do {
                    let loaded = try await manager.load(Self.url, context: Self.context)
                    #expect(loaded.image.size == PixelSize(270, 270), comment)
                } catch {
                    #expect(reply == .none && error.kind != .cancelled, comment)
                }
                await manager.waitForStores()
                #expect(budget.waitingCount == 0, comment)
                await StateChanges.wait { budget.reservedByteCount == 0 }
            }
        }
    }
}
