@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.bounded)
struct TransferBodyTests {
    /// Chunks of one byte, the last of which may be followed by an error. Releasing them is recorded.
    private struct Chunks: ChunkSource {
        final class Connection: Sendable {
            private let released: Recorder<Int>

            init(_ released: Recorder<Int>) { self.released = released }

            deinit { released.note(1) }
        }

        var bytes: [UInt8]
        var error: ImageError?
        let connection: Connection

        mutating func next() async throws -> Data? {
            if bytes.isEmpty, let error { throw error }
            return bytes.isEmpty ? nil : Data([bytes.removeFirst()])
        }
    }

    private let queue = AdmissionQueue(limit: 1)
    private let released = Recorder<Int>()

    private func body(_ bytes: [UInt8], error: ImageError? = nil) async throws -> TransferBody<Chunks> {
        TransferBody(
            Chunks(bytes: bytes, error: error, connection: .init(released)), admission: try await queue.admit())
    }

    @Test func transferEndsWithItsLastChunk() async throws {
        let body = try await body([1, 2])
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next() == Data([1]))
        #expect(try await iterator.next() == Data([2]))
        #expect(queue.runningCount == 1 && released.values.isEmpty)
        #expect(try await iterator.next() == nil)
        #expect(queue.runningCount == 0 && released.values == [1])
        #expect(try await iterator.next() == nil, "there is nothing after the end")
        withExtendedLifetime(body) {}
    }

    @Test func transferEndsWithAnError() async throws {
        let body = try await body([], error: ImageError(.network, .load, "broken"))
        var iterator = body.makeAsyncIterator()
        await #expect(throws: ImageError.self) { try await iterator.next() }
        #expect(queue.runningCount == 0 && released.values == [1])
        #expect(try await iterator.next() == nil, "the error is thrown once")
        withExtendedLifetime(body) {}
    }

    @Test func transferEndsWhenNobodyCanReadIt() async throws {
        var body: TransferBody<Chunks>? = try await body([1])
        var iterator = body?.makeAsyncIterator()
        body = nil
        #expect(queue.runningCount == 1)
        #expect(try await iterator?.next() == Data([1]))
        iterator = nil
        #expect(queue.runningCount == 0 && released.values == [1])
    }

    @Test func secondReaderReceivesAnError() async throws {
        let body = try await body([1])
        var (first, second) = (body.makeAsyncIterator(), body.makeAsyncIterator())
        let error = await #expect(throws: ImageError.self) { try await second.next() }
        #expect(error?.message.contains("only once") == true)
        #expect(try await first.next() == Data([1]))
    }
}
