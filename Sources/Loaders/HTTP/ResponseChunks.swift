#if HTTP
    import DarkroomCore
    import DarkroomPlatform
    import NIOHTTP1

    /// The chunks of a response. The connection is read only slightly ahead of the reader.
    struct ResponseChunks: ChunkSource {
        private var response: ReceivedResponse
        private var resumption: Resumption?
        private var resumptionCount = 0
        /// The error that last interrupted the connection.
        private var failure = ImageError(
            .network, .load, "the origin sent a different number of bytes than it declared")
        private let transfer: Transfer
        private let cancellation: JobCancellation

        /// Creates the chunks of `response`, which end when the transfer is cancelled.
        init(_ response: ReceivedResponse, transfer: Transfer, until cancellation: JobCancellation) {
            self.response = response
            resumption = Resumption(response.head)
            self.transfer = transfer
            self.cancellation = cancellation
            end(response.exchange, with: cancellation)
        }

        mutating func next() async throws -> Data? {
            do {
                return try await nextResuming()
            } catch {
                throw ImageError(transport: error, configuration: transfer.configuration)
            }
        }

        /// Returns the next bytes of this response, or of the one that resumes it.
        private mutating func nextResuming() async throws -> Data? {
            while true {
                do {
                    return try check(try await transfer.bytes(of: response.exchange))
                } catch let error as ImageError {
                    throw error
                } catch {
                    try await resume(after: ImageError(transport: error, configuration: transfer.configuration))
                }
            }
        }

        private mutating func check(_ chunk: Data?) throws(ImageError) -> Data? {
            guard resumption != nil else { return chunk }
            do {
                return try resumption?.take(chunk)
            } catch {
                throw failure
            }
        }

        private mutating func resume(after error: ImageError) async throws {
            guard error.kind == .network, !error.isTrustFailure, let resumption else {
                throw error
            }
            failure = error
            while resumptionCount < transfer.configuration.resumeLimit {
                resumptionCount += 1
                // The random delay keeps the clients that lost their connections at the same time from reconnecting
                // at the same time.
                let pause = Duration.milliseconds(Int.random(in: 50...150)) * min(resumptionCount, 10)
                transfer.request.report(.retries(after: pause, because: error))
                let rest = try await cancellation.run { [transfer, response] in
                    try await transfer.pause(pause)
                    return try await transfer.rest(of: response, resumption: resumption)
                }
                guard let rest else { continue }
                return try resume(with: rest)
            }
            throw error
        }

        private mutating func resume(with response: ReceivedResponse) throws(ImageError) {
            do {
                try resumption?.continue(with: response.head)
            } catch {
                throw failure
            }
            self.response = response
            end(response.exchange, with: cancellation)
        }

        /// Ends `exchange` when the transfer is cancelled, whether or not it is being read.
        private func end(_ exchange: HTTPExchange, with cancellation: JobCancellation) {
            cancellation.onCancel { [weak exchange] in exchange?.end(CancellationError()) }
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
