import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

/// Tests loads of many large objects at once, with a memory budget that has no room for all of them.
@Suite(.bounded) struct LargeObjectTests {
    private static let urls = (0..<20).map { URL(string: "http://example.com/\($0)")! }
    private static let size = PixelSize(280, 280)
    /// Has 313,611 bytes.
    private static let file = PlainCoder.file(of: .testCard(size.width, size.height))

    private let objects = FakeObjectStore()
    private let budget = MemoryBudget(byteLimit: 2 << 20)
    private let hold = DispatchSemaphore(value: 0)
    /// One element for each decode that has begun.
    private let decodes = Recorder<Bool>()
    /// The clock of the time that a request may spend on the tier.
    private let clock = ManualClock()
    private let origin = FakeOrigin(.fresh(Self.file, for: .seconds(3600)))

    /// Returns a node, whose coder waits for `hold`.
    private func node(_ tier: SharedTier) throws -> ImageManager {
        try ImageManager { [budget, clock, decodes, hold, origin] in
            $0.install(origin)
            $0.install(
                PlainCoder { _ in
                    decodes.note(true)
                    hold.wait()
                    hold.signal()
                })
            $0.install(tier)
            $0.shared?.clock = clock
            $0.memoryBudget = budget
            // Each decode that has memory begins.
            $0.workExecutor = WorkExecutor(name: "decodes", width: Self.urls.count)
        }
    }

    private func tier() -> SharedTier { SharedTier(objects: objects) }

    /// Loads all pictures at one node, which stores them in the tier.
    private func store() async throws {
        hold.signal()
        let node = try node(tier())
        for url in Self.urls { _ = try await node.load(url) }
        await node.waitForStores()
        hold.wait()
    }

    private func loads(_ tier: SharedTier) throws -> [Task<LoadResult, any Error>] {
        let node = try node(tier)
        return Self.urls.map { url in Task { try await node.load(url) } }
    }

    @Test func objectsWaitForMemoryBeforeTheyAreReceived() async throws {
        try await store()
        let (tier, count) = (tier(), decodes.values.count)
        let loads = try loads(tier)
        // Three have half of the budget, and one more may always proceed. They are decoded, or wait for memory for that.
        await StateChanges.wait { budget.waitingCount + decodes.values.count - count == loads.count }
        #expect(budget.waitingCount >= 16)
        #expect(budget.reservedByteCount <= budget.byteLimit)
        // The wait takes none of the time that a request may spend on the tier.
        clock.advance(by: .seconds(3600))
        hold.signal()
        for load in loads {
            let result = try await load.value
            #expect(result.origin == .sharedCache)
            #expect(result.image.size == Self.size)
        }
        #expect(origin.requests.count == Self.urls.count)
        #expect(tier.statistics.hits == Self.urls.count)
        #expect(tier.statistics.failedReads == 0)
        #expect(tier.statistics.objectBreaker == .closed)
        await StateChanges.wait { budget.reservedByteCount == 0 }
    }

    @Test func loadThatWaitsForMemoryCanBeCancelled() async throws {
        try await store()
        let loads = try loads(tier())
        await StateChanges.wait { budget.waitingCount >= 16 }
        for load in loads { load.cancel() }
        for load in loads { await #expect(throws: ImageError.self) { try await load.value } }
        #expect(budget.waitingCount == 0)
        hold.signal()
    }
}
