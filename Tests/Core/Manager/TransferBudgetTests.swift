@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.bounded)
struct TransferBudgetTests {
    private static let chunkByteCount = 4 << 10
    private static let bitmap = Bitmap(64, 64) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 7) }
    private static var file: Data { PlainCoder.file(of: bitmap) }

    private let sent = Recorder<Int>()

    /// A loader that sends the file chunk by chunk on demand.
    private func loader() -> FakeLoader {
        FakeLoader { [self] _ in
            let rest = Mutex(Self.file)
            let chunks = AsyncThrowingStream<Data, any Error> {
                let chunk = rest.withLock { rest in
                    defer { rest = Data(rest.dropFirst(Self.chunkByteCount)) }
                    return Data(rest.prefix(Self.chunkByteCount))
                }
                sent.note(chunk.count)
                return chunk.isEmpty ? nil : chunk
            }
            return LoadResponse(.chunks(chunks), expectedByteCount: Self.file.count)
        }
    }

    private func manager(_ budget: MemoryBudget) throws -> ImageManager {
        try ImageManager {
            $0.install(loader())
            $0.install(PlainCoder())
            $0.memoryBudget = budget
        }
    }

    private func load(_ manager: ImageManager, count: Int) -> [Task<Bool, any Error>] {
        (0..<count).map { number in
            Task {
                let url = try #require(URL(string: "http://example.com/\(number).plain"))
                return try await manager.load(url).image.bitmap == Self.bitmap
            }
        }
    }

    @Test(.bug(id: "Fix downloads that take any amount of memory at once"))
    func transfersPauseWhenTheirHalfOfTheBudgetIsUsed() async throws {
        let budget = MemoryBudget(byteLimit: 4 * Self.file.count)
        let manager = try manager(budget)
        // Nothing is decoded, so the received bytes stay reserved.
        let work = try await budget.reserve(budget.byteLimit)
        let loads = load(manager, count: 16)
        await StateChanges.wait { budget.waitingCount >= 16 }
        // One transfer may exceed the budget, and each of the others holds one chunk.
        #expect(sent.values.reduce(0, +) <= Self.file.count + 16 * Self.chunkByteCount)
        work.release()
        for load in loads { #expect(try await load.value) }
        _ = try await budget.reserve(.max)
        #expect(budget.waitingCount == 0)
    }

    @Test(arguments: [0, 1, 100, 1 << 20]) func loadsFinishWithAnyBudget(byteLimit: Int) async throws {
        let budget = MemoryBudget(byteLimit: max(1, byteLimit))
        let loads = load(try manager(budget), count: 20)
        for (number, load) in loads.enumerated() where number % 4 == 3 { load.cancel() }
        for (number, load) in loads.enumerated() where number % 4 != 3 { #expect(try await load.value) }
        _ = try await budget.reserve(.max)
        #expect(budget.waitingCount == 0)
    }
}
