import DarkroomCore
import DarkroomFile
import DarkroomTestKit
import Dispatch
import TestSupport
import Testing

/// Tests large files, many of which are loaded at once.
@Suite(.bounded) struct LargeFileTests {
    private let folder: TemporaryDirectory
    private let budget = MemoryBudget(byteLimit: 2 << 20)
    private let hold = DispatchSemaphore(value: 0)
    private let manager: ImageManager

    init() throws {
        folder = try TemporaryDirectory()
        manager = try ImageManager { [budget, hold] in
            $0.install(FileLoader())
            $0.install(
                PlainCoder { _ in
                    hold.wait()
                    hold.signal()
                })
            $0.memoryBudget = budget
        }
    }

    /// Starts to load 20 pictures with sides of `side` pixels.
    private func loads(side: Int) throws -> [Task<PixelSize, any Error>] {
        let file = PlainCoder.file(of: .testCard(side, side))
        return try (0..<20).map { number in
            let url = try folder.write(file, to: "\(number).plain")
            return Task { try await manager.load(url).image.size }
        }
    }

    @Test func filesWaitForMemoryBeforeTheyAreRead() async throws {
        let loads = try loads(side: 280)
        // Three have half of the budget, and one more may always proceed.
        await StateChanges.wait { budget.waitingCount >= 16 }
        #expect(budget.reservedByteCount <= budget.byteLimit)
        hold.signal()
        for load in loads { #expect(try await load.value == PixelSize(280, 280)) }
    }

    @Test func filesThatAreLargerThanTheBudgetAreLoadedOneByOne() async throws {
        let loads = try loads(side: 800)
        await StateChanges.wait { budget.waitingCount >= 19 }
        hold.signal()
        for load in loads { #expect(try await load.value == PixelSize(800, 800)) }
    }

    @Test func loadThatWaitsForMemoryCanBeCancelled() async throws {
        let loads = try loads(side: 280)
        await StateChanges.wait { budget.waitingCount >= 16 }
        for load in loads { load.cancel() }
        for load in loads { await #expect(throws: ImageError.self) { try await load.value } }
        #expect(budget.waitingCount == 0)
        hold.signal()
    }
}
