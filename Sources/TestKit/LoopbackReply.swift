#if HTTP
    public import DarkroomPlatform
    import NIOCore
    import NIOHTTP1

    /// The actions of a handler on a connection of a `LoopbackServer`, in any order, valid or not.
    public struct LoopbackReply: Sendable {
        let channel: any Channel
        let count: @Sendable (Int) -> Void

        /// Sends a response head. Without a `Content-Length` the body is chunked.
        public func head(_ status: Int, _ headers: [String: String] = [:]) async throws {
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: status),
                headers: HTTPHeaders(headers.map { ($0.key, $0.value) }))
            try await write(.head(head))
        }

        /// Sends bytes of the body, and waits until the system accepts them.
        public func body(_ data: Data) async throws {
            try await write(.body(.byteBuffer(ByteBuffer(bytes: data))))
            count(data.count)
        }

        /// Ends the response; the connection stays open.
        public func end() async throws { try await write(.end(nil)) }

        /// Sends a complete response, with its length.
        public func send(_ status: Int = 200, _ headers: [String: String] = [:], _ data: Data = Data()) async throws {
            try await head(status, headers.merging(["Content-Length": "\(data.count)"]) { given, _ in given })
            if !data.isEmpty { try await body(data) }
            try await end()
        }

        /// Sends a redirect to `location`.
        public func redirect(_ status: Int = 302, to location: String) async throws {
            try await send(status, ["Location": location], Data("moved".utf8))
        }

        /// Closes the connection, regardless of what was sent.
        public func close() async throws { try await channel.close() }

        /// Waits until the client has closed the connection.
        public func waitForClose() async throws { try await value(of: channel.closeFuture) }

        /// Returns when the system has accepted the bytes. A channel's own writer returns earlier, which would hide a
        /// stall.
        private func write(_ part: HTTPServerResponsePart) async throws {
            try await value(of: channel.writeAndFlush(part))
        }

        /// Waits for `future`. Cancelling the task closes the connection, which completes all futures.
        private func value(of future: EventLoopFuture<Void>) async throws {
            try await withTaskCancellationHandler {
                try await future.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        }
    }
#endif
