@testable import DarkroomCore
import DarkroomTestKit
import Synchronization
import TestSupport
import Testing

@Suite(.bounded)
struct ReaderSlotTests {
    /// A number whose changes a reader waits for.
    private final class Counter: Sendable {
        private let state = Mutex((count: 0, reader: ReaderSlot()))

        var isWaiting: Bool { state.withLock(\.reader.isAsleep) }

        func look() -> Int {
            state.withLock { state in
                state.reader.look()
                return state.count
            }
        }

        func increase() {
            let reader = state.withLock { state in
                state.count += 1
                return state.reader.wake()
            }
            reader?.resume()
        }

        func wait() async {
            await withCheckedContinuation { continuation in
                if !state.withLock({ $0.reader.sleep(continuation) }) { continuation.resume() }
                StateChanges.notify()
            }
        }
    }

    private let counter = Counter()

    @Test func changeBeforeTheWaitEndsItAtOnce() async {
        counter.increase()
        counter.increase()
        await counter.wait()
        #expect(counter.look() == 2)
    }

    @Test func changeThatTheReaderHasSeenDoesNotEndItsWait() async {
        counter.increase()
        #expect(counter.look() == 1)
        let reader = Task { [counter] in await counter.wait() }
        await StateChanges.wait { [counter] in counter.isWaiting }
        counter.increase()
        await reader.value
        #expect(counter.look() == 2)
    }

    @Test func readerMissesNoChange() async {
        let reader = Task { [counter] in
            while counter.look() < 1_000 { await counter.wait() }
        }
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { [counter] in for _ in 0..<250 { counter.increase() } } }
        }
        await reader.value
    }

    @Test func secondReaderEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let channel = EventChannel<Never, Never>()
            _ = Task { await channel.wait() }
            await StateChanges.wait { channel.isWaiting }
            _ = Task.immediate { await channel.wait() }
        }
    }
}
