@testable import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

/// Random arrivals and departures, compared with a model that searches all waiters each time.
struct WaitingLineTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func waitersAreAdmittedInTheOrderOfTheModel(block: UInt64) {
        for seed in (block * 100)..<(block * 100 + 100) {
            var schedule = Schedule(seed: seed)
            for _ in 0..<200 { schedule.step() }
            schedule.drain()
        }
    }

    @Test func thousandsOfWaitersMayChangeTheirPriority() {
        let numbers = 1...5000
        var line = WaitingLine<Void>()
        for number in numbers { line.join((), id: number, priority: .normal) }
        for number in numbers { line.move(number, to: number.isMultiple(of: 2) ? .high : .low) }
        #expect(line.count == numbers.count)
        let admitted = numbers.compactMap { _ in line.next()?.id }
        #expect(line.count == 0)
        let (urgent, others) = (numbers.filter { $0.isMultiple(of: 2) }, numbers.filter { !$0.isMultiple(of: 2) })
        // Each 16th goes because it arrived first, until no urgent one is left.
        let expected = urgent.enumerated().flatMap { index, number in
            index % 15 == 14 ? [number, others[index / 15]] : [number]
        }
        #expect(admitted == expected + others.dropFirst(urgent.count / 15))
    }

    /// However many urgent ones keep coming, each waiter goes in the end: a bound for every place in line.
    @Test(arguments: [LoadOrder.firstInFirstOut, .lastInFirstOut])
    func noneIsOvertakenForever(order: LoadOrder) {
        let waitingCount = 20
        var line = WaitingLine<Void>(order: order)
        for id in 0..<waitingCount { line.join((), id: id, priority: id.isMultiple(of: 3) ? .normal : .low) }
        var turns: [Int] = []
        for turn in 0..<(16 * waitingCount) {
            line.join((), id: waitingCount + turn, priority: .high)
            if let id = line.next()?.id, id < waitingCount { turns.append(turn) }
        }
        #expect(turns == (1...waitingCount).map { 16 * $0 - 1 })
    }

    @Test func newcomersOvertakeFifteenTimesInARow() {
        var line = WaitingLine<Void>()
        #expect(line.mayBeOvertaken(by: .low))
        // In an empty line, this counts nothing.
        line.countOvertaking()
        line.join((), id: 0, priority: .normal)
        for _ in 0..<15 {
            #expect(line.mayBeOvertaken(by: .high) && !line.mayBeOvertaken(by: .normal))
            line.countOvertaking()
        }
        #expect(!line.mayBeOvertaken(by: .high))
        #expect(line.next()?.id == 0)
        #expect(line.mayBeOvertaken(by: .low))
    }

    @Test(arguments: [(LoadOrder.firstInFirstOut, 2), (.lastInFirstOut, 1)])
    func lastOfTheLeastUrgentIsDisplaced(order: LoadOrder, expected: Int) {
        var line = WaitingLine<Int>(order: order)
        for id in 0..<4 { line.join(id, id: id, priority: id % 3 == 0 ? .normal : .low, group: "a") }
        #expect(line.displaceLast(of: nil, for: .low) == nil && line.displaceLast(of: "b", for: .high) == nil)
        #expect(line.displaceLast(of: "a", for: .normal) == expected && line.count == 3)
    }

    @Test func emptyGroupIsRemoved() {
        var line = WaitingLine<Void>()
        line.groupLimit = 1
        for id in 0..<3 { line.join((), id: id, priority: .normal, group: "a") }
        #expect(line.next()?.id == 0)
        #expect(!line.isReady && line.next() == nil && line.count == 2)
        line.leave(1)
        line.end("a")
        #expect(line.next()?.id == 2 && line.count == 0)
        line.end("a")
        // The count of the group starts at zero again.
        line.join((), id: 3, priority: .normal, group: "a")
        #expect(line.next()?.id == 3)
    }
}

private struct Schedule {
    private struct Waiter {
        let id: Int
        var priority: LoadPriority
        let group: String?
    }

    private let seed: UInt64
    private var random: SeededGenerator
    private var line: WaitingLine<Void>
    /// The waiters, in the order in which they are admitted if the order is first in, first out.
    private var waiters: [Waiter] = []
    private var running: [String?] = []
    private var overtakingCount = 0
    private var lastID = 0

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        line = WaitingLine(order: seed.isMultiple(of: 2) ? .firstInFirstOut : .lastInFirstOut)
    }

    mutating func step() {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5: join()
        case 5: if let id = waiters.randomElement(using: &random)?.id { leave(id) }
        case 6, 7: if let id = waiters.randomElement(using: &random)?.id { move(id) }
        case 8, 9: next()
        case 10: if let index = running.indices.randomElement(using: &random) { line.end(running.remove(at: index)) }
        default: line.groupLimit = [nil, 1, 2].randomElement(using: &random)!
        }
        check(line.count == waiters.count, "\(line.count) wait where the model has \(waiters.count)")
        check(line.isReady == (expected != nil), "isReady differs from the model")
    }

    mutating func drain() {
        line.groupLimit = nil
        while !waiters.isEmpty { next() }
        check(line.next() == nil, "a waiter is left")
    }

    /// The waiters whose groups are not full.
    private var free: [Waiter] {
        waiters.filter { waiter in
            guard let limit = line.groupLimit, let group = waiter.group else { return true }
            return running.count { $0 == group } < limit
        }
    }

    private var oldest: Waiter? { free.min { $0.id < $1.id } }

    /// The waiter that is next.
    private var expected: Waiter? {
        if overtakingCount == 15 { return oldest }
        let free = free
        guard let priority = free.map(\.priority).max(by: { $0.rawValue < $1.rawValue }) else { return nil }
        let urgent = free.filter { $0.priority == priority }
        return line.order == .firstInFirstOut ? urgent.first : urgent.last
    }

    private var anyPriority: LoadPriority {
        mutating get { LoadPriority.allCases.randomElement(using: &random)! }
    }

    private mutating func join() {
        lastID += 1
        let group = [nil, "a", "b", "c"].randomElement(using: &random)!
        let waiter = Waiter(id: lastID, priority: anyPriority, group: group)
        waiters.append(waiter)
        line.join((), id: waiter.id, priority: waiter.priority, group: group)
    }

    private mutating func leave(_ id: Int) {
        waiters.removeAll { $0.id == id }
        line.leave(id)
    }

    private mutating func move(_ id: Int) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        let old = waiters[index].priority
        let new = anyPriority
        line.move(id, to: new)
        guard new != old else { return }
        var waiter = waiters.remove(at: index)
        waiter.priority = new
        // Behind all others, which is the opposite end if the order is last in, first out.
        let isLastToGo = line.order == .lastInFirstOut && new.rawValue < old.rawValue
        waiters.insert(waiter, at: isLastToGo ? 0 : waiters.count)
    }

    private mutating func next() {
        let expected = expected
        let id = line.next()?.id
        check(id == expected?.id, "the waiter \(id ?? 0) is next, but \(expected?.id ?? 0) in the model")
        guard let expected else { return }
        overtakingCount = expected.id == oldest?.id ? 0 : overtakingCount + 1
        waiters.removeAll { $0.id == expected.id }
        running.append(expected.group)
    }

    private func check(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { Issue.record("schedule \(seed): \(message())") }
    }
}
