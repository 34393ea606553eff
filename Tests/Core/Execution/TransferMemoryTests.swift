@testable import DarkroomCore
import DarkroomTestKit
import Synchronization
import TestSupport
import Testing

/// The maximum of the reserved bytes that were observed.
private final class HighWater: Sendable {
    private let most = Mutex(0)

    var value: Int { most.withLock { $0 } }

    func look(at budget: MemoryBudget) {
        let byteCount = budget.reservedByteCount
        most.withLock { $0 = max($0, byteCount) }
    }
}

@Suite(.bounded)
struct TransferMemoryTests {
    private let budget = MemoryBudget(byteLimit: 100)

    private func transfer(_ priority: LoadPriority = .normal) -> TransferMemory {
        budget.makeTransferMemory(.constant(priority))
    }

    /// Returns the task of a transfer that waits for `byteCount` bytes.
    private func grow(_ transfer: TransferMemory, by byteCount: Int) -> Task<Void, any Error> {
        Task.immediate { try await transfer.grow(by: byteCount) }
    }

    @Test func bytesAreReservedAsTheyArriveUntilDeallocation() async throws {
        do {
            let transfer = transfer()
            for byteCount in [20, 0, 25] { try await transfer.grow(by: byteCount) }
            #expect(budget.reservedByteCount == 45)
            transfer.cover(40)
            #expect(budget.reservedByteCount == 45)
            transfer.cover(145)
            transfer.finish()
            transfer.finish()
            #expect((budget.reservedByteCount, budget.availableByteCount) == (145, 0))
        }
        #expect(budget.reservedByteCount == 0)
    }

    @Test func leadingTransferProceedsWhileOthersWaitForItsEnd() async throws {
        let transfers = (0..<3).map { _ in transfer() }
        for transfer in transfers { try await transfer.grow(by: 16) }
        // The first transfer that finds no room becomes the leader, and may take any number of bytes.
        try await transfers[1].grow(by: 30)
        try await transfers[1].grow(by: 1000)
        let waiting = [grow(transfers[2], by: 1), grow(transfers[0], by: 1)]
        #expect(budget.waitingCount == 2)
        try await transfers[1].grow(by: 10)
        transfers[1].finish()
        // The received bytes are decoded before the next transfer becomes the leader.
        #expect(budget.waitingCount == 2)
        withExtendedLifetime(transfers) {}
        for task in waiting { task.cancel() }
        for task in waiting { await #expect(throws: ImageError.self) { try await task.value } }
        #expect(budget.waitingCount == 0)
    }

    @Test func earliestTransferLeadsNext() async throws {
        let (first, second) = (transfer(), transfer())
        var leader: TransferMemory? = transfer()
        try await first.grow(by: 25)
        try await second.grow(by: 25)
        try await leader?.grow(by: 100)
        let order = Recorder<Int>()
        let waiting = [(2, second), (1, first)].map { number, transfer in
            Task.immediate {
                try await transfer.grow(by: 60)
                order.note(number)
            }
        }
        leader?.finish()
        #expect(order.values.isEmpty)
        leader = nil
        try await waiting[1].value
        #expect(order.values == [1] && budget.waitingCount == 1)
        waiting[0].cancel()
    }

    @Test func transferOfHigherPriorityLeadsNext() async throws {
        let (low, high) = (transfer(.low), transfer(.high))
        var leader: TransferMemory? = transfer()
        try await leader?.grow(by: 100)
        let waiting = [grow(low, by: 60), grow(high, by: 60)]
        #expect(budget.waitingCount == 2)
        leader = nil
        try await waiting[1].value
        #expect(budget.waitingCount == 1)
        waiting[0].cancel()
    }

    @Test func workDoesNotWaitForTransfers() async throws {
        let preview = try #require(budget.reserveNowForPreview(10, priority: .normal))
        let transfers = (0..<2).map { _ in transfer() }
        for transfer in transfers { try await transfer.grow(by: 25) }
        try await transfers[0].grow(by: 70)
        let waiting = grow(transfers[1], by: 1)
        let work = try await budget.reserve(90)
        let next = Task.immediate { [budget] in try await budget.reserve(1) }
        #expect((budget.reservedByteCount, budget.waitingCount) == (220, 2))
        work.release()
        _ = try await next.value
        waiting.cancel()
        withExtendedLifetime((transfers, preview)) {}
    }

    @Test func workDoesNotWaitForPreviewsOfWaitingTransfers() async throws {
        let preview = try #require(budget.reserveNowForPreview(60, priority: .normal))
        #expect(budget.reserveNowForPreview(60, priority: .normal) == nil)
        let work = try await budget.reserve(90)
        #expect(budget.reservedByteCount == 150)
        withExtendedLifetime((preview, work)) {}
    }

    @Test func tenantsShrinkForTransfers() async throws {
        let hoard = Hoard(80)
        budget.add(hoard)
        let transfer = transfer()
        try await transfer.grow(by: 40)
        #expect(hoard.heldByteCount == 60)
        withExtendedLifetime(transfer) {}
    }

    @Test(arguments: 0..<20, [false, true])
    func randomLoadsFinishWithinTheBudget(_ seed: Int, showsPreviews: Bool) async throws {
        let (most, budget, executor) = (HighWater(), budget, WorkExecutor(name: "test", width: 1))
        let (largestTransfer, largestWork) = (150, 50)
        await withTaskGroup { group in
            for number in 0..<40 {
                let task = Task {
                    var random = SeededGenerator(seed: UInt64(seed * 1000 + number))
                    let urgency = Urgency(LoadPriority.allCases[number % 3])
                    let transfer = budget.makeTransferMemory(urgency)
                    var preview: MemoryBudget.Reservation?
                    var rest = Int.random(in: 0...largestTransfer, using: &random)
                    while rest > 0 {
                        let byteCount = min(rest, Int.random(in: 1...40, using: &random))
                        try await transfer.grow(by: byteCount)
                        most.look(at: budget)
                        rest -= byteCount
                        if showsPreviews, preview == nil, Bool.random(using: &random) {
                            preview = budget.reserveNowForPreview(5, priority: urgency.priority)
                        }
                        if Bool.random(using: &random) { urgency.priority = .high }
                        try await executor.run {}
                    }
                    transfer.finish()
                    let byteCount = Int.random(in: 1...largestWork, using: &random)
                    let work = try await budget.reserve(byteCount, urgency: urgency)
                    most.look(at: budget)
                    try await executor.run {}
                    withExtendedLifetime((transfer, preview, work)) {}
                }
                if number % 5 == seed % 5 { group.addTask { task.cancel() } }
                group.addTask { _ = try? await task.value }
            }
        }
        // Transfers take half of the budget, or all of it together with previews. Beside that, one transfer and one
        // piece of work may proceed.
        #expect(most.value <= (showsPreviews ? 100 : 50) + largestTransfer + largestWork)
        #expect((budget.reservedByteCount, budget.waitingCount) == (0, 0))
    }
}
