import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

@testable import DarkroomFleet

@Suite(.bounded)
struct WriteQueueTests {
    private let clock = ManualClock()
    private let gate = Gate()

    /// Starts `count` writes that end when the gate opens.
    private func hang(_ count: Int, in queue: WriteQueue) async -> [Task<Void, any Error>] {
        let tasks = (0..<count).map { _ in
            Task { try await queue.write { await gate.wait() } }
        }
        await gate.waitForArrivals(count)
        return tasks
    }

    @Test func writesThatDoNotEndAreAStall() async throws {
        let queue = WriteQueue(limit: 2, patience: .milliseconds(500), clock: clock)
        let tasks = await hang(2, in: queue)
        clock.advance(by: .milliseconds(499))
        #expect(!queue.isStalled)
        clock.advance(by: .milliseconds(1))
        #expect(queue.isStalled)
        gate.open()
        for task in tasks { try await task.value }
        #expect(!queue.isStalled)
        try await queue.write {}
    }

    @Test func someWritesThatHangDoNotStopTheOthers() async throws {
        let queue = WriteQueue(limit: 2, patience: .milliseconds(500), clock: clock)
        let tasks = await hang(1, in: queue)
        clock.advance(by: .seconds(5))
        try await queue.write {}
        #expect(!queue.isStalled)
        gate.open()
        for task in tasks { try await task.value }
    }

    @Test func writesThatEndOneAfterTheOtherAreNoStall() async throws {
        let queue = WriteQueue(limit: 1, patience: .milliseconds(500), clock: clock)
        for _ in 0..<3 {
            try await queue.write { clock.advance(by: .milliseconds(400)) }
            #expect(!queue.isStalled)
        }
    }

    @Test(arguments: [true, false]) func onlyAFailureIsAFailedStall(_ isStalled: Bool) async throws {
        let queue = WriteQueue(limit: 1, patience: .milliseconds(500), clock: clock)
        try await queue.write { clock.advance(by: .milliseconds(500)) }
        #expect(queue.failedStallCount == 0)
        await #expect(throws: ImageError.self) {
            try await queue.write {
                clock.advance(by: .milliseconds(isStalled ? 500 : 499))
                throw ImageError(.timedOut, .cache, "it hangs")
            }
        }
        #expect(queue.failedStallCount == (isStalled ? 1 : 0))
    }
}
