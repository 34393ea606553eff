import DarkroomQuantizing
import Foundation
import Testing

@Suite struct SizeSearchTests {
    /// The file of step n has 100 - n bytes.
    private func result(_ count: Int, within bound: Int?) throws -> (size: Int, attempts: Int) {
        var attempts = 0
        let file = try SizeSearch.file(of: Array(0..<count), within: bound) { step in
            attempts += 1
            return Data(count: 100 - step)
        }
        return (file.count, attempts)
    }

    @Test(arguments: 1...16) func firstStepThatFitsIsFound(_ count: Int) throws {
        for bound in 80...101 {
            let (size, attempts) = try result(count, within: bound)
            #expect(size == max(min(bound, 100), 101 - count))
            #expect(attempts <= 5)
        }
        #expect(try result(count, within: nil) == (100, 1))
    }

    @Test(arguments: [(256, 2), (256, 16), (100, 2), (2, 2), (3, 2)])
    func colorCountsFall(_ largest: Int, _ smallest: Int) {
        let counts = SizeSearch.colorCounts(from: largest, to: smallest)
        #expect(counts.first == largest && counts.count <= 15)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 > $1 && $0 <= 2 * $1 })
        #expect(counts.allSatisfy { $0 >= smallest } && counts.last == smallest)
    }

    @Test func colorTableKeepsItsCapacity() {
        var table = ColorTable(capacity: 2)
        let colors = (1...3).map { PackedColor(red: $0, green: 0, blue: 0) }
        let fits = (colors + [colors[1]]).map { table.insert($0) }
        #expect(fits == [true, true, false, true])
        #expect(colors.map { table.index(of: $0) } == [0, 1, nil])
    }
}
