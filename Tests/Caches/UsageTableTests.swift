@testable import DarkroomCaches
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import Testing

struct UsageTableTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var path: FilePath { FilePath(text: folder.url.appending(path: "counts").path) }

    @Test func sumCoversAllShards() throws {
        var numbers = SeededGenerator(seed: 1)
        try ShardUsage(path).withLock(for: .addition) { table in
            for _ in 0..<300 {
                let shard = Shard(index: Int.random(in: 0..<6, using: &numbers))
                let totals = ShardTotals(
                    byteCount: Int.random(in: 0..<1000, using: &numbers), count: Int.random(in: 0..<9, using: &numbers))
                switch Int.random(in: 0..<3, using: &numbers) {
                case 0: try table.add(totals, to: shard)
                case 1: try table.add(-totals, to: shard)
                default: try table.set(totals, of: shard)
                }
                let sum = try table.total()
                #expect(try table.recomputedTotal() == sum)
            }
        }
    }

    @Test(arguments: [false, true]) func lockIsReleasedWhicheverCallFails(isOpen: Bool) throws {
        let totals = ShardTotals(byteCount: 10, count: 1)
        try ShardUsage(path).withLock(for: .addition) { try $0.add(totals, to: Shard(index: 0)) }
        var failures = 0
        for number in 0... {
            // The number of calls that succeed before one that fails; none does yet.
            let left = Mutex(Int.max)
            let faults = FileFaults { _, byteCount throws(SystemError) in
                let count = left.withLock { left in
                    left -= 1
                    return left + 1
                }
                guard count != 0 else { throw SystemError(code: EIO) }
                return byteCount
            }
            let usage = ShardUsage(FilePath(text: path.text, faults: faults))
            if isOpen { _ = try usage.withLock { try $0.total() } }
            left.withLock { $0 = number }
            let total = try? usage.withLock(for: .addition) { try $0.total() }
            #expect(!ShardUsage.isLocked(path.text), "call \(number)")
            if left.withLock(\.self) >= 0 { break }
            failures += total == nil ? 1 : 0
        }
        #expect(failures > 3)
    }

    @Test func damagedSumIsRecomputed() throws {
        let totals = ShardTotals(byteCount: 10, count: 1)
        try ShardUsage(path).withLock(for: .addition) { table in
            for index in 0..<3 { try table.add(totals, to: Shard(index: index)) }
            _ = try table.total()
        }
        let file = URL(filePath: path.text)
        let sound = try Data(contentsOf: file)
        // The sum follows the totals of 4096 shards, of 16 bytes each, and the time of the last scan.
        for index in (1 << 16) + 8..<(1 << 16) + 32 {
            var damaged = sound
            damaged[index] ^= 0x10
            try damaged.write(to: file)
            let usage = ShardUsage(path)
            #expect(try usage.withLock { try $0.total() } == .init(byteCount: 30, count: 3))
            try usage.withLock { try $0.add(totals, to: Shard(index: 9)) }
            #expect(try usage.withLock { try $0.total() } == .init(byteCount: 40, count: 4))
        }
    }
}
