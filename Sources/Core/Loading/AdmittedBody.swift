#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Chunks that hold the slot of their transfer until they have been read to the end, or are deallocated.
struct AdmittedBody: AsyncSequence, Sendable {
    private let chunks: any AsyncSequence<Data, any Error> & Sendable
    private let admission: Admission

    init(_ chunks: any AsyncSequence<Data, any Error> & Sendable, admission: Admission) {
        self.chunks = chunks
        self.admission = admission
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks.makeAsyncIterator(), admission: admission) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var chunks: any AsyncIteratorProtocol<Data, any Error>
        fileprivate let admission: Admission

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            do {
                let chunk = try await chunks.next(isolation: actor)
                if chunk == nil { admission.release() }
                return chunk
            } catch {
                admission.release()
                throw error
            }
        }
    }
}
