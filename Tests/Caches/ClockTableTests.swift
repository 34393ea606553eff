import DarkroomTestKit
import TestSupport
import Testing

@testable import DarkroomCaches

/// The table behind `MemoryDataCache` and `RecentCache`.
@Suite struct ClockTableTests {
    @Test(.bug(id: "15.2"))
    func placesAreReleasedWithTheirEntries() {
        var table = ClockTable<Int, Int>(costLimit: 10_000)
        for number in 0..<10_000 { _ = table.store(number, for: number, cost: 1) }
        #expect(table.placeCount == 10_000)
        for number in 0..<9990 {
            table.remove(number)
            #expect(table.placeCount <= 2 * table.count + 16)
        }
        #expect((9990..<10_000).allSatisfy { table[$0] == $0 })
        _ = table.evict(downTo: 0)
        #expect(table.count == 0 && table.placeCount <= 16)
    }

    /// Compares random operations with a queue: the first entry is evicted, or moves to the end if it was used.
    @Test(.bug(id: "15.2"), arguments: 0..<8)
    func evictionsFollowTheOrderOfStores(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = ClockTable<Int, Int>(costLimit: 100)
        var queue: [(key: Int, value: Int, wasUsed: Bool)] = []
        for value in 0..<5000 {
            let key = Int.random(in: 0..<60, using: &random)
            let place = queue.firstIndex { $0.key == key }
            switch random.next() % 8 {
            case 0:
                table.remove(key)
                if let place { queue.remove(at: place) }
            case 1, 2:
                if let place { queue[place].wasUsed = true }
                #expect(table.use(key) == place.map { queue[$0].value })
            default:
                if let place { queue.remove(at: place) }
                let evicted = table.store(value, for: key, cost: 5)
                #expect(evicted == Self.evict(from: &queue, downTo: 19))
                queue.append((key, value, false))
            }
            #expect(table.count == queue.count && table.cost == 5 * queue.count)
            #expect(queue.allSatisfy { table[$0.key] == $0.value })
        }
    }

    private static func evict(from queue: inout [(key: Int, value: Int, wasUsed: Bool)], downTo count: Int) -> [Int] {
        var evicted: [Int] = []
        while queue.count > count {
            let first = queue.removeFirst()
            if first.wasUsed { queue.append((first.key, first.value, false)) } else { evicted.append(first.key) }
        }
        return evicted
    }
}
