@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Bodies whose reader is cancelled before their end.
@Suite(.bounded)
struct AbandonedBodyTests {
    /// `AsyncThrowingStream` ends without an error when the task that reads it is cancelled.
    @Test(arguments: [false, true]) func bodyOfUnknownLengthIsNotTakenForComplete(_ gathers: Bool) async throws {
        let reads = Gate()
        let response = LoadResponse(.chunks(UnfinishedChunks(first: Darkbox.file, reads: reads)))
        let reader = Task {
            if gathers { return try await response.gathered(limits: .default)?.data.count }
            let memory = MemoryBudget(byteLimit: 1 << 20).makeTransferMemory(.constant(.normal))
            return try await response.collected(limits: .default, memory: memory) { _ in }.1?.count
        }
        await reads.waitForArrivals(2)
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
    }

    @Test func bodyOfUnknownLengthIsNotStored() async throws {
        let reads = Gate()
        let box = Darkbox(
            FakeLoader { _ in LoadResponse(.chunks(UnfinishedChunks(first: Darkbox.file, reads: reads))) })
        let load = Task { try await box.load() }
        await reads.waitForArrivals(2)
        load.cancel()
        let error = await #expect(throws: ImageError.self) { try await load.value }
        #expect(error?.kind == .cancelled)
        await box.manager.waitForStores()
        #expect(box.data.keys.isEmpty && box.images.keys.isEmpty)
    }
}

/// A stream that does not end by itself after its first chunk. Each call of the reader arrives at `reads`.
private struct UnfinishedChunks: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        let reads: Gate
        var base: AsyncThrowingStream<Data, any Error>.Iterator

        mutating func next() async throws -> Data? { try await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            await reads.wait()
            return try await base.next(isolation: actor)
        }
    }

    private let stream: AsyncThrowingStream<Data, any Error>
    private let continuation: AsyncThrowingStream<Data, any Error>.Continuation
    private let reads: Gate

    init(first: Data, reads: Gate) {
        reads.open()
        self.reads = reads
        (stream, continuation) = AsyncThrowingStream.makeStream()
        continuation.yield(first)
    }

    func makeAsyncIterator() -> Iterator { Iterator(reads: reads, base: stream.makeAsyncIterator()) }
}
