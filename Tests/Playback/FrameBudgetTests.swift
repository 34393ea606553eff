@testable import DarkroomCore
@testable import DarkroomPlayback
import DarkroomTestKit
import Foundation
import Testing

struct FrameBudgetTests {
    @Test(arguments: [
        ("MemTotal: 9 kB\nMemAvailable:   1000 kB\n", 614_400),
        ("MemAvailable: 999999999 kB", 10_000_000),
        ("MemAvailable: 0 kB", 0),
        ("MemAvailable: many", 10_000_000), ("MemAvailable: 99999999999999999 kB", 10_000_000), ("\n", 10_000_000),
    ])
    func budgetIsAShareOfFreeAndTotalMemory(text: String, expected: Int) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Data(text.utf8), to: "meminfo")
        let budget = FrameBudget(memoryFile: file.path, machineByteCount: 50_000_000)
        #expect(budget.automaticByteCount == expected)
    }

    @Test func budgetIsFiniteOnAnyMachine() {
        #expect(FrameBudget(memoryFile: "/nowhere", machineByteCount: .max).automaticByteCount == 64 << 20)
        #expect((1...(64 << 20)).contains(FrameBudget().automaticByteCount))
    }

    @Test(arguments: [
        // All frames of a small animation stay in memory, of a large one a fixed number, both within the byte limit.
        (0, 64 << 20, 1000, 100, 67108), (0, 64 << 20, 1_440_000, 500, 8), (0, 4_000_000, 1_440_000, 500, 2),
        (0, 0, 1000, 100, 1), (0, 64 << 20, .max, .max, 1),
        (1, 64 << 20, 1000, 100, 1), (2500, 64 << 20, 1000, 100, 2), (.max, 0, 1000, 100, .max / 1000),
    ])
    func bytesDetermineTheFrameLimit(
        byteLimit: Int, automatic: Int, frameByteCount: Int, frameCount: Int, expected: Int
    ) {
        let limit = FrameBudget.frameLimit(
            byteLimit: byteLimit, automatic: automatic, frameByteCount: frameByteCount, frameCount: frameCount)
        #expect(limit == expected)
    }
}
