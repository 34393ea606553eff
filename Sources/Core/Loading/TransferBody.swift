package import DarkroomPlatform
import Synchronization

/// The chunks of one transfer, as a loader receives them.
package protocol ChunkSource: Sendable {
    /// Returns the next chunk; `nil` at the end. It is called by one task at a time, and not after an end or an error.
    mutating func next() async throws -> Data?
}

/// The bytes of a transfer as they arrive, for one reader.
///
/// The transfer ends, and the next one is admitted, with the last chunk, with an error, or when the sequence and its
/// iterator are released.
package struct TransferBody<Source: ChunkSource>: AsyncSequence, Sendable {
    private let transfer: Transfer

    /// Creates the body that `source` provides, for the transfer that `admission` permits.
    package init(_ source: Source, admission: Admission) { transfer = Transfer(source, admission) }

    /// Returns the iterator. The first one reads the body; others fail.
    package func makeAsyncIterator() -> Iterator { Iterator(transfer: transfer.begin() ? transfer : nil) }

    /// The reader of the bytes.
    package struct Iterator: AsyncIteratorProtocol {
        /// `nil` for a second reader.
        fileprivate let transfer: Transfer?

        /// Returns the next bytes; `nil` at the end.
        package mutating func next() async throws -> Data? {
            guard let transfer else {
                throw ImageError(.internal, .load, "the bytes of a response can be read only once")
            }
            return try await transfer.next()
        }
    }

    // Only the one iterator that `begin` permits calls `next`, one call after another, so no lock is needed.
    fileprivate final class Transfer: @unchecked Sendable {
        private let hasBegun = Atomic(false)
        /// `nil` after the end.
        private var source: Source?
        private let admission: Admission

        init(_ source: Source, _ admission: Admission) {
            self.source = source
            self.admission = admission
        }

        /// Returns whether this is the first reader.
        func begin() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }

        func next() async throws -> Data? {
            do {
                let chunk = try await source?.next()
                if chunk == nil { end() }
                return chunk
            } catch {
                end()
                throw error
            }
        }

        private func end() {
            source = nil
            admission.release()
        }
    }
}
