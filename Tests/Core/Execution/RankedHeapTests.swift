@testable import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

struct RankedHeapTests {
    @Test(arguments: 0..<50 as Range<UInt64>)
    func firstIsTheSmallestAfterAnyChange(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (heap, model) = (RankedHeap<Int, Int>(), [Int: Int]())
        for step in 0..<400 {
            let key = Int.random(in: 0..<40, using: &random)
            // Distinct ranks, so that there is one smallest.
            let rank = Bool.random(using: &random) ? Int.random(in: 0..<1000, using: &random) * 1000 + step : nil
            heap[key] = rank
            model[key] = rank
            let smallest = model.min { $0.value < $1.value }
            #expect(heap.first?.key == smallest?.key && heap.first?.rank == smallest?.value)
            #expect(heap[key] == rank && heap.isEmpty == model.isEmpty)
        }
    }

    @Test func mappedRanksChangeTheOrder() {
        var heap = RankedHeap<String, Int>()
        for (rank, key) in ["a", "b", "c"].enumerated() { heap[key] = rank }
        var mirrored = heap.mapRanks { -$0 }
        #expect(mirrored.first?.key == "c")
        mirrored["c"] = nil
        #expect(mirrored.first?.key == "b" && heap.first?.key == "a")
    }
}
