@testable import DarkroomCore
import DarkroomTestKit
import Synchronization
import TestSupport
import Testing

/// A tenant that releases the requested bytes, down to `least`.
final class Hoard: MemoryBudget.Tenant {
    private let bytes: Mutex<Int>
    private let least: Int
    let requests = Recorder<Int>()

    init(_ byteCount: Int, least: Int = 0) {
        bytes = Mutex(byteCount)
        self.least = least
    }

    var heldByteCount: Int { bytes.withLock { $0 } }

    func shrink(by byteCount: Int) {
        requests.note(byteCount)
        bytes.withLock { $0 = max(least, $0 - byteCount) }
    }
}

/// A sum and its maximum.
private final class Peak: Sendable {
    private let sums = Mutex((now: 0, most: 0))

    var most: Int { sums.withLock { $0.most } }

    func add(_ byteCount: Int) { sums.withLock { $0 = ($0.now + byteCount, max($0.most, $0.now + byteCount)) } }
}

@Suite(.bounded)
struct MemoryBudgetTests {
    private let budget = MemoryBudget(byteLimit: 100)
    private let order = Recorder<Int>()

    /// Starts a task that waits in line when this returns, and releases its reservation at once.
    @discardableResult
    private func join(_ byteCount: Int, _ priority: LoadPriority = .normal) -> Task<Void, any Error> {
        Task.immediate { [budget, order] in
            let reservation = try await budget.reserve(byteCount, priority: priority)
            order.note(byteCount)
            reservation.release()
        }
    }

    @Test func reservationIsReleasedOnce() async throws {
        let first = try await budget.reserve(60)
        let second = try await budget.reserve(40)
        #expect((budget.reservedByteCount, budget.availableByteCount) == (100, 0))
        first.release()
        first.release()
        #expect(budget.reservedByteCount == 40)
        withExtendedLifetime(second) {}
    }

    @Test(arguments: [0, 40, 70, 71]) func shrunkReservationKeepsWhatFits(byteCount: Int) throws {
        let reservation = try #require(budget.reserveNow(70))
        let shrunk = reservation.shrunk(to: byteCount)
        #expect(shrunk?.byteCount == (byteCount <= 70 ? byteCount : nil))
        #expect(budget.reservedByteCount == shrunk?.byteCount ?? 0)
        reservation.release()
        #expect(budget.reservedByteCount == shrunk?.byteCount ?? 0)
        #expect(reservation.shrunk(to: 0) == nil)
        shrunk?.release()
        #expect(budget.reservedByteCount == 0)
    }

    @Test func deallocatedReservationIsReleased() async throws {
        _ = try await budget.reserve(60)
        #expect(budget.reservedByteCount == 0)
    }

    @Test func reservationWaitsForFreeBytes() async throws {
        let first = try await budget.reserve(60)
        let task = join(41)
        #expect((budget.waitingCount, budget.reserveNow(1) == nil, budget.availableByteCount) == (1, true, 0))
        first.release()
        try await task.value
        #expect((budget.waitingCount, budget.reservedByteCount) == (0, 0))
    }

    @Test func waitersDoNotOvertakeTheFirst() async throws {
        let first = try await budget.reserve(60)
        // There is room for each of them beside the first reservation, but not beside that of 90 bytes.
        for byteCount in [90, 11, 12, 13] { join(byteCount) }
        #expect(budget.waitingCount == 4)
        first.release()
        await order.waitForValues(4)
        // The others are admitted together, and record themselves in any order.
        #expect(order.values.first == 90)
    }

    @Test func higherPriorityIsServedFirst() async throws {
        let first = try await budget.reserve(100)
        for (number, priority) in [LoadPriority.low, .normal, .high, .low, .high].enumerated() {
            join(96 + number, priority)
        }
        first.release()
        await order.waitForValues(5)
        #expect(order.values == [98, 100, 97, 96, 99])
    }

    @Test func higherPriorityDoesNotQueueBehindLower() async throws {
        let first = try await budget.reserve(60)
        let task = join(50, .low)
        #expect(budget.reserveNow(40, priority: .low) == nil)
        #expect(budget.reserveNow(40, priority: .normal) != nil)
        first.release()
        try await task.value
    }

    @Test(arguments: [101, Int.max]) func reservationAboveTheLimitRunsAlone(byteCount: Int) async throws {
        let first = try await budget.reserve(1)
        let large = Task.immediate { [budget] in try await budget.reserve(byteCount) }
        let after = join(1)
        #expect(budget.waitingCount == 2)
        first.release()
        let reservation = try await large.value
        #expect((budget.reservedByteCount, budget.waitingCount) == (byteCount, 1))
        reservation.release()
        try await after.value
        #expect(budget.reservedByteCount == 0)
    }

    /// Their images stay reserved, so each of them would wait for the others.
    @Test func oneResultIsAlwaysMade() async throws {
        let image = try await budget.reserve(100)
        let first = try await budget.reserveForResult(60, urgency: Urgency(.normal))
        #expect(budget.reservedByteCount == 160)
        let second = Task.immediate { [budget] in try await budget.reserveForResult(10, urgency: Urgency(.normal)) }
        #expect((budget.waitingCount, budget.reserveNowForResult(1, priority: .high) == nil) == (1, true))
        first.release()
        #expect(try await second.value.byteCount == 10)
        withExtendedLifetime(image) {}
    }

    @Test func resultsAreMadeAtOnceIfThereIsRoom() async throws {
        let image = try await budget.reserve(20)
        let results = try (0..<4).map { _ in try #require(budget.reserveNowForResult(20, priority: .normal)) }
        #expect(budget.reserveNowForResult(1, priority: .normal) == nil)
        #expect(budget.reserveNow(1) == nil && budget.availableByteCount == 0)
        withExtendedLifetime((image, results)) {}
        image.release()
        // Work proceeds as well if it is alone.
        #expect(budget.reserveNow(50)?.byteCount == 50)
    }

    /// The size in a header may be any, and the bytes that the load has received count, too.
    @Test func reservationWhoseSumOverflowsRunsAlone() async throws {
        let received = budget.makeTransferMemory(.constant(.normal))
        try await received.grow(by: 10)
        let reservation = try #require(budget.reserveNow(.max))
        #expect((budget.reservedByteCount, budget.availableByteCount) == (Int.max, 0))
        #expect(budget.reserveNow(1) == nil)
        reservation.release()
        #expect((budget.reservedByteCount, budget.availableByteCount) == (10, 90))
        withExtendedLifetime(received) {}
    }

    @Test func sumOfReservationsDoesNotOverflow() throws {
        budget.byteLimit = .max
        let first = try #require(budget.reserveNow(1))
        #expect(budget.reserveNow(.max) == nil)
        budget.byteLimit = .min
        #expect(budget.availableByteCount == 0)
        first.release()
        #expect(budget.reservedByteCount == 0)
    }

    @Test(arguments: [0, -1, Int.min]) func withoutABudgetReservationsRunOneAtATime(byteLimit: Int) async throws {
        budget.byteLimit = byteLimit
        let first = try await budget.reserve(5)
        let task = join(1)
        #expect(budget.waitingCount == 1)
        first.release()
        try await task.value
    }

    @Test func negativeReservationCountsAsZero() async throws {
        #expect(try await budget.reserve(.min).byteCount == 0)
    }

    @Test func cancelledWaiterLeavesImmediatelyAndAdmitsOthers() async throws {
        let first = try await budget.reserve(60)
        let large = join(90)
        let small = join(30)
        #expect(budget.waitingCount == 2)
        large.cancel()
        await #expect(throws: ImageError.self) { try await large.value }
        try await small.value
        #expect(order.values == [30])
        withExtendedLifetime(first) {}
    }

    @Test func cancelledTaskReservesNothing() async {
        let task = Task { [budget] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await budget.reserve(1)
        }
        await #expect(throws: ImageError.self) { try await task.value }
        #expect(budget.reservedByteCount == 0)
    }

    @Test func raisedPriorityMovesAWaiterUp() async throws {
        let first = try await budget.reserve(100)
        let urgency = Urgency(.low)
        join(91)
        let task = Task.immediate { [budget, order] in
            let reservation = try await budget.reserve(92, urgency: urgency)
            order.note(92)
            reservation.release()
        }
        urgency.priority = .high
        first.release()
        try await task.value
        await order.waitForValues(2)
        #expect(order.values == [92, 91])
    }

    @Test func higherLimitAdmitsWaiters() async throws {
        let first = try await budget.reserve(60)
        let task = join(60)
        budget.byteLimit = 120
        try await task.value
        withExtendedLifetime(first) {}
    }

    @Test func tenantsShrinkBeforeAReservationWaits() async throws {
        let hoards = [Hoard(30), Hoard(30, least: 20), Hoard(30)]
        for hoard in hoards + hoards { budget.add(hoard) }
        #expect((budget.heldByteCount, budget.availableByteCount) == (90, 10))
        let reservation = try #require(budget.reserveNow(70))
        // The first tenant releases everything, the second as much as it can, and the third the rest.
        #expect(hoards.map(\.heldByteCount) == [0, 20, 10])
        reservation.release()
    }

    @Test func tenantsDoNotShrinkInVain() async throws {
        let hoard = Hoard(10)
        budget.add(hoard)
        let first = try await budget.reserve(60)
        let task = join(50)
        #expect(hoard.requests.values.isEmpty)
        first.release()
        try await task.value
        #expect(hoard.requests.values.isEmpty)
    }

    @Test func onlyReservationDoesNotWaitForTenantsThatCannotShrink() async throws {
        let hoard = Hoard(200, least: 200)
        budget.add(hoard)
        let first = try await budget.reserve(10)
        let task = join(10)
        #expect(budget.waitingCount == 1)
        first.release()
        try await task.value
    }

    @Test func deallocatedTenantHoldsNoBytes() {
        do {
            let hoard = Hoard(10)
            budget.add(hoard)
            #expect(budget.heldByteCount == 10)
        }
        #expect(budget.heldByteCount == 0)
    }

    @Test func concurrentReservationsNeverExceedTheLimit() async throws {
        let (peak, executor) = (Peak(), WorkExecutor(name: "test", width: 1))
        try await withThrowingTaskGroup { group in
            for task in 0..<50 {
                group.addTask { [budget] in
                    var random = SeededGenerator(seed: UInt64(task))
                    for _ in 0..<20 {
                        let byteCount = Int.random(in: 1...60, using: &random)
                        let priority = LoadPriority.allCases[byteCount % 3]
                        let reservation = try await budget.reserve(byteCount, priority: priority)
                        peak.add(byteCount)
                        try await executor.run {}
                        peak.add(-byteCount)
                        reservation.release()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(peak.most <= 100)
        #expect((budget.reservedByteCount, budget.waitingCount) == (0, 0))
    }

    @Test func defaultLimitIsHalfOfTheMemory() {
        #expect(MemoryBudget().byteLimit == SystemMemory().byteCount / 2)
    }
}
