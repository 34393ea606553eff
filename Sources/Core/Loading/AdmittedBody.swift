#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Chunks that hold the slot of their transfer until they have been read to the end, or are deallocated. Reading ends
/// when the transfer is cancelled.
struct AdmittedBody: AsyncSequence, Sendable {
    private let chunks: any AsyncSequence<Data, any Error> & Sendable
    private let admission: Admission

    init(_ chunks: any AsyncSequence<Data, any Error> & Sendable, admission: Admission) {
        self.chunks = chunks
        self.admission = admission
    }

    func makeAsyncIterator() -> Iterator { Iterator(reader: ChunkReader(chunks), admission: admission) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: ChunkReader
        fileprivate let admission: Admission

        mutating func next() async throws -> Data? {
            do {
                let chunk = try await admission.cancellation.run { [reader] in try await reader.next() }
                if chunk == nil { admission.release() }
                return chunk
            } catch {
                admission.release()
                throw error
            }
        }
    }
}

/// An iterator that can be read in a task of its own, so that cancelling that task ends a read.
private actor ChunkReader {
    private var chunks: any AsyncIteratorProtocol<Data, any Error>

    init(_ chunks: any AsyncSequence<Data, any Error> & Sendable) { self.chunks = chunks.makeAsyncIterator() }

    /// Returns the next chunk. There is one reader, so calls never overlap.
    func next() async throws -> Data? {
        var current = chunks
        defer { chunks = current }
        return try await current.next(isolation: self)
    }
}
