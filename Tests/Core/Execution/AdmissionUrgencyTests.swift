import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

@Suite(.bounded)
struct AdmissionUrgencyTests {
    private let queue = AdmissionQueue(limit: 1)
    private let order = Recorder<Int>()

    /// Starts jobs that have joined in this order when it returns. Each records its number once it is admitted.
    private func join(_ numbers: ClosedRange<Int>, _ priority: LoadPriority = .normal) -> [Int: Urgency] {
        var urgencies: [Int: Urgency] = [:]
        for number in numbers {
            let urgency = Urgency(priority)
            urgencies[number] = urgency
            Task.immediate { [queue, order] in
                let admission = try await queue.admit(urgency)
                order.note(number)
                admission.release()
            }
        }
        return urgencies
    }

    @Test func raisedWaiterGoesBehindThoseOfItsNewPriority() async throws {
        let first = try await queue.admit()
        let jobs = join(1...4)
        _ = join(5...6, .high)
        jobs[3]?.priority = .high
        jobs[2]?.priority = .high
        first.release()
        await order.waitForValues(6)
        #expect(order.values == [5, 6, 3, 2, 1, 4])
    }

    @Test func loweredWaiterGoesBehindThoseOfItsNewPriority() async throws {
        let first = try await queue.admit()
        let jobs = join(1...3)
        _ = join(4...5, .low)
        jobs[1]?.priority = .low
        first.release()
        await order.waitForValues(5)
        #expect(order.values == [2, 3, 4, 5, 1])
    }

    @Test func raisedWaiterGoesFirstInLastInFirstOutOrder() async throws {
        queue.order = .lastInFirstOut
        let first = try await queue.admit()
        let jobs = join(1...3)
        _ = join(4...5, .high)
        jobs[2]?.priority = .high
        first.release()
        await order.waitForValues(5)
        #expect(order.values == [2, 5, 4, 3, 1])
    }

    @Test func loweredWaiterGoesLastInLastInFirstOutOrder() async throws {
        queue.order = .lastInFirstOut
        let first = try await queue.admit()
        let jobs = join(1...3, .high)
        _ = join(4...5)
        jobs[3]?.priority = .normal
        first.release()
        await order.waitForValues(5)
        #expect(order.values == [2, 1, 5, 4, 3])
    }

    @Test func laterArrivalsGoFirstInLastInFirstOutOrder() async throws {
        // The example of section 14.5 of the specification: with one place, 8 to 14 come when 7 starts.
        queue.order = .lastInFirstOut
        let (seventh, held) = (Recorder<Admission>(), try await queue.admit())
        _ = join(2...6)
        Task.immediate { [queue, order] in
            let admission = try await queue.admit()
            order.note(7)
            seventh.note(admission)
        }
        held.release()
        await seventh.waitForValues(1)
        _ = join(8...14)
        seventh.values[0].release()
        await order.waitForValues(13)
        #expect(order.values == [7, 14, 13, 12, 11, 10, 9, 8, 6, 5, 4, 3, 2])
    }

    @Test func admittedWaiterIsNotMoved() async throws {
        let urgency = Urgency()
        let first = try await queue.admit(urgency)
        _ = join(1...1)
        urgency.priority = .high
        #expect(queue.runningCount == 1 && queue.waitingCount == 1)
        first.release()
        await order.waitForValues(1)
    }

    @Test func manyWaitersMayChangeTheirPriority() async throws {
        let first = try await queue.admit()
        let count = 100
        let jobs = join(1...count)
        for number in stride(from: 2, through: count, by: 2) { jobs[number]?.priority = .high }
        for number in stride(from: 1, through: count, by: 2) { jobs[number]?.priority = .low }
        #expect(queue.waitingCount == count)
        first.release()
        await order.waitForValues(count)
        var low = ArraySlice(stride(from: 1, through: count, by: 2))
        var expected: [Int] = []
        for high in stride(from: 2, through: count, by: 2) {
            expected.append(high)
            // After 15 others in a row, it is the turn of the one that arrived first.
            if high.isMultiple(of: 30) { expected.append(low.removeFirst()) }
        }
        #expect(order.values == expected + low)
    }
}
