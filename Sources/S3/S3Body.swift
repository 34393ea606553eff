#if S3
    import AsyncHTTPClient
    import DarkroomCore
    import NIOCore
    import Synchronization

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// A running transfer, and its limits.
    struct Transfer: Sendable {
        /// The loader, which is referenced until the transfer ends, because it owns the connection.
        let loader: S3Loader

        /// The permission to run.
        let admission: Admission

        /// The limit on the bytes of the body.
        let byteLimit: Int

        /// The time at which the transfer ends at the latest.
        let end: ContinuousClock.Instant

        init(_ loader: S3Loader, _ admission: Admission, byteLimit: Int, end: ContinuousClock.Instant) {
            self.loader = loader
            self.admission = admission
            self.byteLimit = byteLimit
            self.end = end
        }

        /// The timeout for the next bytes, and the setting that determines it.
        var timeout: (duration: Duration, setting: String) {
            let (idle, rest) = (loader.configuration.idleTimeout, ContinuousClock.now.duration(to: end))
            return idle <= rest ? (idle, "idleTimeout") : (rest, "totalTimeout")
        }
    }

    /// The bytes of an object as they arrive, for one reader.
    ///
    /// The transfer ends, and the next one is admitted, with the last chunk, with an error, or when sequence and iterator
    /// are released.
    struct S3Body: AsyncSequence, Sendable {
        private let chunks: Chunks

        init(_ body: HTTPClientResponse.Body, of transfer: Transfer) { chunks = Chunks(body, transfer) }

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

    // Only the one iterator that `begin` permits calls `next`, one call after another, so no lock is needed.
    private final class Chunks: @unchecked Sendable {
        private let hasBegun = Atomic(false)
        private let body: HTTPClientResponse.Body
        private var iterator: HTTPClientResponse.Body.AsyncIterator?
        private var transfer: Transfer?
        private var byteCount = 0

        init(_ body: HTTPClientResponse.Body, _ transfer: Transfer) {
            self.body = body
            self.transfer = transfer
        }

        /// Returns whether this is the first reader.
        func begin() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }

        func next() async throws(ImageError) -> Data? {
            guard let transfer else { return nil }
            do throws(ImageError) {
                let (timeout, setting) = transfer.timeout
                let chunk = try await transfer.loader.running(
                    in: transfer.admission, atMost: timeout, setting: setting
                ) { try await self.receive() }
                byteCount += chunk?.count ?? 0
                if byteCount > transfer.byteLimit {
                    throw .overLimit("encodedByteCount", value: byteCount, bound: transfer.byteLimit, stage: .load)
                }
                if chunk == nil { end() }
                return chunk
            } catch {
                end()
                throw error
            }
        }

        private func receive() async throws -> Data? {
            var iterator = iterator.take() ?? body.makeAsyncIterator()
            let buffer = try await iterator.next()
            self.iterator = iterator
            return buffer.map { Data($0.readableBytesView) }
        }

        private func end() {
            iterator = nil
            transfer?.admission.release()
            transfer = nil
        }
    }
#endif
