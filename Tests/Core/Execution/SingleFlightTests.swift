@testable import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SingleFlightTests {
    private typealias Flight = SingleFlight<String, Int, Int>

    @Test func equalKeysRunOnce() async throws {
        let flight = Flight()
        let gate = Gate()
        let runs = Recorder<Int>()
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await flight.value(for: "a") { _ in
                        runs.note(1)
                        await gate.pass()
                        return 7
                    }
                }
            }
            group.addTask {
                while flight.waiterCount(of: "a") < 10 { await Task.yield() }
                gate.open()
                return 7
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == Array(repeating: 7, count: 11))
        #expect(runs.values.count == 1)
        #expect(flight.count == 0)
    }

    @Test func aCancelledCallerLeavesAtOnceAndTheOthersGoOn() async throws {
        let flight = Flight()
        let gate = Gate()
        let work: Flight.Work = { run in
            await gate.pass()
            try run.cancellation.check()
            return 7
        }
        let leaver = Task { try await flight.value(for: "a", work: work) }
        let stayer = Task { try await flight.value(for: "a", work: work) }
        while flight.waiterCount(of: "a") < 2 { await Task.yield() }
        leaver.cancel()
        // The gate is still closed, so this can only return because it was cancelled.
        await #expect(throws: ImageError.self) { try await leaver.value }
        gate.open()
        #expect(try await stayer.value == 7)
    }

    @Test func theLastCallerToLeaveCancelsTheWork() async throws {
        let flight = Flight()
        let started = Gate()
        let seen = Gate()
        let callers = (0..<2).map { _ in
            Task {
                try await flight.value(for: "a") { run in
                    started.open()
                    while !run.cancellation.isSet || !Task.isCancelled { await Task.yield() }
                    seen.open()
                    throw CancellationError()
                }
            }
        }
        await started.pass()
        while flight.waiterCount(of: "a") < 2 { await Task.yield() }
        for caller in callers { caller.cancel() }
        for caller in callers { await #expect(throws: ImageError.self) { try await caller.value } }
        await seen.pass()
        #expect(flight.count == 0)
    }

    @Test func anAbandonedRunThatEndsLateDoesNotEndTheNext() async throws {
        let flight = Flight()
        let (oldGate, newGate) = (Gate(), Gate())
        let oldEnded = Gate()
        let old = Task {
            try await flight.value(for: "a") { _ in
                await oldGate.pass()
                oldEnded.open()
                return 1
            }
        }
        await oldGate.arrivals()
        old.cancel()
        await #expect(throws: ImageError.self) { try await old.value }
        let new = Task {
            try await flight.value(for: "a") { _ in
                await newGate.pass()
                return 2
            }
        }
        await newGate.arrivals()
        oldGate.open()
        await oldEnded.pass()
        #expect(flight.waiterCount(of: "a") == 1)
        newGate.open()
        #expect(try await new.value == 2)
    }

    @Test func aLateJoinerHearsTheNewestEvent() async throws {
        let flight = Flight()
        let (first, second) = (Gate(), Gate())
        let heard = Recorder<Int>()
        let work: Flight.Work = { run in
            run.emit(1)
            run.emit(2)
            await first.pass()
            run.emit(3)
            await second.pass()
            return 0
        }
        let early = Task { try await flight.value(for: "a", work: work) }
        await first.arrivals()
        let late = Task { try await flight.value(for: "a", observer: heard.note, work: work) }
        while flight.waiterCount(of: "a") < 2 { await Task.yield() }
        first.open()
        await second.arrivals()
        second.open()
        _ = try await (early.value, late.value)
        #expect(heard.values == [2, 3])
    }

    @Test func errorsReachEveryCaller() async {
        let flight = Flight()
        await #expect(throws: ImageError.self) {
            try await flight.value(for: "a") { _ in throw ImageError(.network, .load, "unreachable") }
        }
        #expect(flight.count == 0)
    }
}
