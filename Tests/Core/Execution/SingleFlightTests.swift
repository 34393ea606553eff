@testable import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

@Suite(.bounded)
struct SingleFlightTests {
    private typealias Flight = SingleFlight<String, Int, Int>

    /// Every caller receives the first event once it has joined.
    private func join(_ flight: Flight, _ joined: Recorder<Int>, _ work: @escaping Flight.Work) -> Task<Int, any Error>
    {
        Task {
            try await flight.value(for: "a", observer: joined.note) { run in
                run.emit(0)
                return try await work(run)
            }
        }
    }

    @Test func callersWithEqualKeysShareARun() async throws {
        let (flight, joined, runs, gate) = (Flight(), Recorder<Int>(), Recorder<Int>(), Gate())
        let callers = (0..<10).map { _ in
            join(flight, joined) { _ in
                runs.note(1)
                await gate.wait()
                return 7
            }
        }
        await joined.waitForValues(10)
        gate.open()
        for caller in callers { #expect(try await caller.value == 7) }
        #expect(runs.values.count == 1)
        #expect(flight.count == 0)
    }

    @Test func runGoesOnWithoutCallersIfItMay() async throws {
        let (flight, joined, gate) = (Flight(endsWithoutCallers: false), Recorder<Int>(), Gate())
        let caller = join(flight, joined) { run in
            await gate.wait()
            return run.cancellation.isSet ? 0 : 7
        }
        await gate.waitForArrivals()
        caller.cancel()
        await #expect(throws: ImageError.self) { try await caller.value }
        let next = join(flight, joined) { _ in 1 }
        await joined.waitForValues(2)
        gate.open()
        #expect(try await next.value == 7)
        #expect(flight.count == 0)
    }

    /// The context of a load may retain what emits events long after the run.
    @Test(.bug(id: "Fix leak of runs whose contexts retain what emits their events"))
    func observerIsReleasedAfterTheRun() async throws {
        let (flight, emitters, released) = (Flight(), Recorder<@Sendable (Int) -> Void>(), Gate())
        func run(_ sentinel: Sentinel) async throws -> Int {
            let observer: Flight.Observer = { _ in withExtendedLifetime(sentinel) {} }
            return try await flight.value(for: "a", observer: observer) { run in
                emitters.note(run.emit)
                return 7
            }
        }
        #expect(try await run(Sentinel(released)) == 7)
        await released.wait()
        for emit in emitters.values { emit(1) }
    }

    @Test func cancelledCallerLeavesImmediatelyAndOthersContinue() async throws {
        let (flight, joined, gate) = (Flight(), Recorder<Int>(), Gate())
        let callers = (0..<2).map { _ in
            join(flight, joined) { run in
                await gate.wait()
                try run.cancellation.check()
                return 7
            }
        }
        await joined.waitForValues(2)
        callers[0].cancel()
        // The gate is still closed, so this can only return because it was cancelled.
        await #expect(throws: ImageError.self) { try await callers[0].value }
        gate.open()
        #expect(try await callers[1].value == 7)
    }

    @Test func lastCallerToLeaveCancelsTheRun() async throws {
        let (flight, joined, cancelled) = (Flight(), Recorder<Int>(), Gate())
        let callers = (0..<2).map { _ in
            join(flight, joined) { run in
                await withTaskCancellationHandler {
                    await cancelled.wait()
                } onCancel: {
                    if run.cancellation.isSet { cancelled.open() }
                }
                return 7
            }
        }
        await joined.waitForValues(2)
        for caller in callers { caller.cancel() }
        for caller in callers { await #expect(throws: ImageError.self) { try await caller.value } }
        await cancelled.wait()
        #expect(flight.count == 0)
    }

    @Test func abandonedRunThatEndsLateDoesNotEndTheNext() async throws {
        let (flight, joined, oldGate, newGate, ended) = (Flight(), Recorder<Int>(), Gate(), Gate(), Recorder<Int>())
        let old = join(flight, joined) { _ in
            await oldGate.wait()
            ended.note(1)
            return 1
        }
        await oldGate.waitForArrivals()
        old.cancel()
        await #expect(throws: ImageError.self) { try await old.value }
        let new = join(flight, joined) { _ in
            await newGate.wait()
            return 2
        }
        await newGate.waitForArrivals()
        oldGate.open()
        await ended.waitForValues(1)
        newGate.open()
        #expect(try await new.value == 2)
    }

    @Test func lateCallerReceivesTheNewestEvent() async throws {
        let flight = Flight()
        let (first, second) = (Gate(), Gate())
        let observed = Recorder<Int>()
        let work: Flight.Work = { run in
            run.emit(1)
            run.emit(2)
            await first.wait()
            run.emit(3)
            await second.wait()
            return 0
        }
        let early = Task { try await flight.value(for: "a", work: work) }
        await first.waitForArrivals()
        let late = Task { try await flight.value(for: "a", observer: observed.note, work: work) }
        await observed.waitForValues(1)
        first.open()
        await second.waitForArrivals()
        second.open()
        _ = try await (early.value, late.value)
        #expect(observed.values == [2, 3])
    }

    @Test func lateCallerReceivesUnreplacedEventsInOrder() async throws {
        let (flight, gate, observed) = (SingleFlight<String, Int, Word>(), Gate(), Recorder<String>())
        let early = Task {
            try await flight.value(for: "a") { run in
                for text in ["a1", "b1", "c", "a2", "c", "b2", "a3"] { run.emit(Word(text: text)) }
                await gate.wait()
                return 0
            }
        }
        await gate.waitForArrivals()
        let late = Task { try await flight.value(for: "a", observer: { observed.note($0.text) }) { _ in 1 } }
        await observed.waitForValues(1)
        gate.open()
        _ = try await (early.value, late.value)
        #expect(observed.values == ["c", "c", "b2", "a3"])
    }

    @Test func errorsReachAllCallers() async {
        let flight = Flight()
        await #expect(throws: ImageError.self) {
            try await flight.value(for: "a") { _ in throw ImageError(.network, .load, "unreachable") }
        }
        #expect(flight.count == 0)
    }

    @Test func runIsCancelledBeforeTheLastCallerReturns() async throws {
        let (flight, started, wasCancelled) = (Flight(), Gate(), Recorder<Bool>())
        let caller = Task { @MainActor in
            try await flight.value(for: "a") { run in
                try await withTaskCancellationHandler {
                    await started.wait()
                    try await Gate().waitUnlessCancelled()
                    return 7
                } onCancel: {
                    // Reads a property of the flight, which would deadlock if the flight held its lock.
                    wasCancelled.note(run.cancellation.isSet && flight.count == 0)
                }
            }
        }
        started.open()
        await started.waitForArrivals()
        // The run may arrive before the caller, which has the main actor until it waits, has stored its task.
        await MainActor.run {}
        caller.cancel()
        // Nothing was awaited since: the call sets the flag and then cancels the task.
        #expect(wasCancelled.values == [true])
        await #expect(throws: ImageError.self) { try await caller.value }
    }

    @Test func cancelAllCancelsTheRunBeforeItsCallers() async throws {
        let (flight, started, wasCancelled) = (Flight(), Gate(), Recorder<Bool>())
        let caller = Task { @MainActor in
            try await flight.value(for: "a") { run in
                try await withTaskCancellationHandler {
                    await started.wait()
                    try await Gate().waitUnlessCancelled()
                    return 7
                } onCancel: {
                    wasCancelled.note(run.cancellation.isSet && flight.count == 0)
                }
            }
        }
        started.open()
        await started.waitForArrivals()
        await MainActor.run {}
        flight.cancelAll()
        #expect(wasCancelled.values == [true])
        await #expect(throws: ImageError.self) { try await caller.value }
    }

    @Test func runHasTheHighestPriorityOfItsCallers() async throws {
        let (flight, runs, gate) = (Flight(), Recorder<Flight.Run>(), Gate())
        func join(_ urgency: Urgency) -> Task<Int, any Error> {
            Task.immediate {
                try await flight.value(for: "a", urgency: urgency) { run in
                    runs.note(run)
                    try await gate.waitUnlessCancelled()
                    return 7
                }
            }
        }
        let (low, changing) = (Urgency(.low), Urgency(.low))
        let first = join(low)
        await runs.waitForValues(1)
        let run = runs.values[0]
        #expect(run.urgency.priority == .low)
        let (urgent, second) = (join(Urgency(.high)), join(changing))
        #expect(run.urgency.priority == .high)
        urgent.cancel()
        #expect(run.urgency.priority == .low)
        changing.priority = .normal
        #expect(run.urgency.priority == .normal)
        gate.open()
        _ = try await (first.value, second.value)
    }

    @Test func priorityPropagatesThroughARunToTheRunItWaitsFor() async throws {
        let (outer, inner, runs, gate) = (Flight(), Flight(), Recorder<Flight.Run>(), Gate())
        func join(_ key: String, _ urgency: Urgency) -> Task<Int, any Error> {
            Task.immediate {
                try await outer.value(for: key, urgency: urgency) { run in
                    try await inner.value(for: "a", urgency: run.urgency) { run in
                        runs.note(run)
                        try await gate.waitUnlessCancelled()
                        return 7
                    }
                }
            }
        }
        let urgency = Urgency(.low)
        let first = join("thumbnail", urgency)
        await runs.waitForValues(1)
        let (innermost, raised) = (runs.values[0], Gate())
        let watch = innermost.urgency.watch { if innermost.urgency.priority == .high { raised.open() } }
        urgency.priority = .normal
        #expect(innermost.urgency.priority == .normal)
        let second = join("whole", Urgency(.high))
        try await raised.waitUnlessCancelled()
        second.cancel()
        #expect(innermost.urgency.priority == .normal)
        withExtendedLifetime(watch) {}
        gate.open()
        _ = try await first.value
    }
}

extension Int: FlightEvent {
    var coalescedKind: Int? { 0 }
}

/// A word with a number; only the newest of each letter is retained.
private struct Word: FlightEvent {
    let text: String

    var coalescedKind: Int? { text.count > 1 ? text.utf8.first.map(Int.init) : nil }
}

/// Opens a gate when it is deallocated.
private final class Sentinel: Sendable {
    private let released: Gate

    init(_ released: Gate) { self.released = released }

    deinit { released.open() }
}
