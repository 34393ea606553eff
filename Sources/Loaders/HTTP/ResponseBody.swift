#if HTTP
    import DarkroomCore
    import NIOHTTP1
    import Synchronization

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The bytes of a response as they arrive, for one reader.
    ///
    /// The connection is read only slightly ahead of the reader. The transfer ends, and the next one is admitted, with
    /// the last chunk, with an error, or when sequence and iterator are released.
    struct ResponseBody: AsyncSequence, Sendable {
        private let chunks: Chunks

        init(_ response: ReceivedResponse, transfer: Transfer, admission: Admission) {
            chunks = Chunks(response, transfer: transfer, admission: admission)
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

    // Only the one iterator that `begin` permits calls `next`, one call after another, so no lock is needed.
    private final class Chunks: @unchecked Sendable {
        private let hasBegun = Atomic(false)
        private var response: ReceivedResponse?
        private var resumption: Resumption?
        private var resumptionCount = 0
        /// The error that last interrupted the connection.
        private var failure = ImageError(
            .network, .load, "the origin sent a different number of bytes than it declared")
        private let transfer: Transfer
        private let admission: Admission

        init(_ response: ReceivedResponse, transfer: Transfer, admission: Admission) {
            self.response = response
            resumption = Resumption(response.head)
            self.transfer = transfer
            self.admission = admission
            end(response.exchange, with: admission.cancellation)
        }

        /// Returns whether this is the first reader.
        func begin() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }

        func next() async throws(ImageError) -> Data? {
            do {
                guard let chunk = try await nextResuming() else {
                    end()
                    return nil
                }
                return chunk
            } catch {
                end()
                throw ImageError(transport: error, configuration: transfer.configuration)
            }
        }

        /// Returns the next bytes of this response, or of the one that resumes it.
        private func nextResuming() async throws -> Data? {
            while let exchange = response?.exchange {
                do {
                    return try check(try await transfer.bytes(of: exchange))
                } catch let error as ImageError {
                    throw error
                } catch {
                    try await resume(after: ImageError(transport: error, configuration: transfer.configuration))
                }
            }
            return nil
        }

        private func check(_ chunk: Data?) throws(ImageError) -> Data? {
            guard resumption != nil else { return chunk }
            do {
                return try resumption?.take(chunk)
            } catch {
                throw failure
            }
        }

        private func resume(after error: ImageError) async throws {
            guard error.kind == .network, !error.isTrustFailure, let resumption, let first = response else {
                throw error
            }
            failure = error
            while resumptionCount < transfer.configuration.resumeLimit {
                resumptionCount += 1
                // The random delay keeps the clients that lost their connections at the same time from reconnecting
                // at the same time.
                let pause = Duration.milliseconds(Int.random(in: 50...150)) * min(resumptionCount, 10)
                transfer.request.report(.retries(after: pause, because: error))
                let rest = try await admission.cancellation.run { [transfer] in
                    try await transfer.pause(pause)
                    return try await transfer.rest(of: first, resumption: resumption)
                }
                guard let rest else { continue }
                return try resume(with: rest)
            }
            throw error
        }

        private func resume(with response: ReceivedResponse) throws(ImageError) {
            do {
                try resumption?.continue(with: response.head)
            } catch {
                throw failure
            }
            self.response = response
            end(response.exchange, with: admission.cancellation)
        }

        /// Ends `exchange` when the transfer is cancelled, whether or not it is being read.
        private func end(_ exchange: HTTPExchange, with cancellation: JobCancellation) {
            cancellation.onCancel { [weak exchange] in exchange?.end(CancellationError()) }
        }

        private func end() {
            response = nil
            admission.release()
        }
    }

    extension ReceivedResponse {
        /// Whether the response may be attributed to the address of `first`, under which the whole entry is recorded.
        fileprivate func isAttributable(to first: ReceivedResponse) -> Bool {
            address == first.address || address.flatMap(IPAddress.init)?.isPublic == true
        }
    }

    extension Transfer {
        /// Returns the response to a request for the rest of `first`; `nil` when another attempt may help.
        fileprivate func rest(
            of first: ReceivedResponse, resumption: Resumption
        ) async throws(ImageError) -> ReceivedResponse? {
            do throws(ImageError) {
                let response = try await send(resumption.headers(after: first.headers), to: first.url)
                guard response.isAttributable(to: first) else {
                    throw ImageError(.network, .load, "the rest of the body is only available from a different address")
                }
                return response.head.status.code >= 500 ? nil : response
            } catch {
                guard error.kind == .network || error.kind == .timedOut else { throw error }
                return nil
            }
        }
    }
#endif
