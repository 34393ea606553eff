#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import NIOCore
    import Synchronization

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The bytes of a response as they arrive, for one reader.
    ///
    /// The connection is read only when the reader asks. It ends, and the next one has its turn, with the last chunk, with an error,
    /// or when sequence and iterator are forgotten.
    struct ResponseBody: AsyncSequence, Sendable {
        private let chunks: Chunks

        init(_ answer: Answer, _ transfer: Transfer, _ admission: Admission) {
            chunks = Chunks(answer, transfer, admission)
        }

        func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks.begin() ? chunks : nil) }

        struct Iterator: AsyncIteratorProtocol {
            /// `nil` for a second reader.
            fileprivate let chunks: Chunks?

            mutating func next() async throws -> Data? {
                guard let chunks else {
                    throw ImageError(.internal, .load, "the bytes of a response can be read only once")
                }
                return try await chunks.next()
            }
        }
    }

    // Only the one iterator that `begin` allowed calls `next`, one call after the other, so nothing here needs a lock.
    private final class Chunks: @unchecked Sendable {
        private let hasBegun = Atomic(false)
        private var answer: Answer?
        private var iterator: HTTPClientResponse.Body.AsyncIterator?
        private let transfer: Transfer
        private let admission: Admission
        private let cancellation = CancellationFlag()

        init(_ answer: Answer, _ transfer: Transfer, _ admission: Admission) {
            self.answer = answer
            iterator = answer.response.body.makeAsyncIterator()
            self.transfer = transfer
            self.admission = admission
        }

        /// Whether nobody began before.
        func begin() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }

        func next() async throws(ImageError) -> Data? {
            do throws(ImageError) {
                let chunk = try await cancellableNext()
                guard chunk == nil else { return chunk }
                end()
            } catch {
                end()
                throw error
            }
            // A body whose reading was cancelled, now or before, ends like one that is complete.
            try cancellation.check()
            return nil
        }

        private func cancellableNext() async throws(ImageError) -> Data? {
            do {
                return try await withTaskCancellationHandler {
                    try await transfer.waitForBytes { [self] in
                        try await iterator?.next().map { Data($0.readableBytesView) }
                    }
                } onCancel: {
                    cancellation.set()
                }
            } catch {
                throw ImageError(transport: error, transfer.configuration)
            }
        }

        private func end() {
            iterator = nil
            answer = nil
            admission.release()
        }
    }
#endif
