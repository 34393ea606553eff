@testable import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

@Suite(.bounded)
struct FirstValueTests {
    private let first = FirstValue<Int>()

    @Test(arguments: [nil, 1]) func valueOfferedBeforeItIsReadIsKept(_ value: Int?) async {
        #expect(!first.isKnown)
        #expect(first.offer(value))
        #expect(!first.offer(2), "only the first counts")
        #expect(first.isKnown)
        #expect(await first.value == value)
        #expect(await first.value == value, "it can be read again")
    }

    @Test func readerReceivesTheFirstOfManyOffers() async {
        let received = Recorder<Int?>()
        first.read(received.note)
        await withTaskGroup { group in
            for number in 0..<20 { group.addTask { [first] in _ = first.offer(number) } }
        }
        #expect(received.values.count == 1)
        #expect(await first.value == received.values[0])
    }

    /// Whether the task is cancelled before or after it is suspended, its substitute is the value.
    @Test(arguments: [false, true]) func cancelledReaderOffersItsSubstitute(_ isEarly: Bool) async {
        let (start, waiting) = (Gate(), Gate())
        let reader = Task { [first] in
            await start.wait()
            waiting.open()
            return await first.value(ifCancelled: 7)
        }
        if isEarly { reader.cancel() }
        start.open()
        await waiting.wait()
        reader.cancel()
        #expect(await reader.value == 7)
        #expect(await first.value == 7)
    }

    @Test func waitEndsWithItsTimeAndTheNextOneReceivesTheValue() async {
        let clock = ManualClock()
        let stopwatch = Stopwatch(clock)
        let reader = Task { [first] in await first.value(by: .seconds(3), on: stopwatch) }
        await clock.waitForSleeps()
        #expect(clock.deadlines.map(\.offset) == [.seconds(3)])
        clock.advance(by: .seconds(3))
        #expect(await reader.value == nil)
        #expect(!first.isKnown)
        let next = Task { [first] in await first.value(by: .seconds(5), on: stopwatch) }
        await clock.waitForSleeps(2)
        first.offer(1)
        #expect(await next.value == 1)
        #expect(await first.value(by: .zero, on: stopwatch) == 1, "a known value is not waited for")
    }

    @Test(arguments: [false, true]) func cancelledWaitLeavesTheValueOpen(_ isEarly: Bool) async {
        let (clock, start) = (ManualClock(), Gate())
        let reader = Task { [first] in
            await start.wait()
            return await first.value(by: .seconds(3), on: Stopwatch(clock))
        }
        if isEarly { reader.cancel() }
        start.open()
        if !isEarly { await clock.waitForSleeps() }
        reader.cancel()
        #expect(await reader.value == nil)
        #expect(first.offer(1))
        #expect(await first.value == 1)
    }

    @Test func secondReaderEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let first = FirstValue<Int>()
            first.read { _ in }
            first.read { _ in }
        }
    }
}
