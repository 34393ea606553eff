#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomPlatform
    import NIOCore
    import NIOHTTP1
    import Synchronization

    /// Receives a response on the thread of its connection, and buffers it for its reader.
    final class ResponseReceiver: HTTPClientResponseDelegate {
        typealias Response = Void

        private struct State {
            var head: HTTPResponseHead?
            var buffers: [ByteBuffer] = []
            var byteCount = 0
            /// The outcome; `nil` until everything has arrived or something failed.
            var end: Result<Void, any Error>?
            /// Fulfilled when there is room for more bytes.
            var demand: EventLoopPromise<Void>?
            var reader = ReaderSlot()

            mutating func takeBuffers() -> [ByteBuffer] {
                defer { (buffers, byteCount) = ([], 0) }
                return buffers
            }
        }

        /// The number of unread bytes at which reading from the connection pauses.
        private static let byteLimit = 256 << 10

        private let state = Mutex(State())
        private let isSent: @Sendable () -> Void

        /// Creates a receiver that calls `isSent` once the request head has been sent.
        init(isSent: @escaping @Sendable () -> Void) { self.isSent = isSent }

        /// The head, once it has arrived.
        var head: HTTPResponseHead? {
            get throws {
                try state.withLock { state in
                    state.reader.look()
                    // If the connection broke while the body was received, the head is still valid.
                    if state.head == nil, case .failure(let error) = state.end { throw error }
                    return state.head
                }
            }
        }

        /// Returns the bytes received since the last call, and whether the body is complete. Bytes that arrived before
        /// an error are returned before it is thrown.
        func takeBytes() throws -> (data: Data?, isAtEnd: Bool) {
            let (buffers, end, demand) = state.withLock { state in
                state.reader.look()
                return (state.takeBuffers(), state.end, state.demand.take())
            }
            demand?.succeed()
            guard buffers.isEmpty else { return (Data(buffers), false) }
            try end?.get()
            return (nil, end != nil)
        }

        /// Resumes `reader` as soon as something has changed since it last looked.
        func resume(_ reader: CheckedContinuation<Void, Never>) {
            if !state.withLock({ $0.reader.sleep(reader) }) { reader.resume() }
        }

        /// Discards unread bytes, and ends with `error`.
        func end(_ error: any Error) {
            let demand = change { state in
                _ = state.takeBuffers()
                state.head = nil
                state.end = .failure(error)
                return state.demand.take()
            }
            demand?.succeed()
        }

        func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) { isSent() }

        func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
            change { $0.head = head }
            return task.eventLoop.makeSucceededVoidFuture()
        }

        func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
            let eventLoop = task.eventLoop
            return change { state in
                guard state.end == nil else { return nil }
                state.buffers.append(buffer)
                state.byteCount += buffer.readableBytes
                guard state.byteCount >= Self.byteLimit else { return nil }
                let demand = eventLoop.makePromise(of: Void.self)
                state.demand = demand
                return demand.futureResult
            } ?? eventLoop.makeSucceededVoidFuture()
        }

        func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
            change { $0.end = $0.end ?? .failure(error) }
        }

        func didFinishRequest(task: HTTPClient.Task<Void>) { change { $0.end = $0.end ?? .success(()) } }

        /// Changes the state, and wakes the reader.
        private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
            let (value, reader) = state.withLock { (body(&$0), $0.reader.wake()) }
            reader?.resume()
            return value
        }
    }

    extension Data {
        fileprivate init(_ buffers: [ByteBuffer]) {
            self.init(capacity: buffers.reduce(0) { $0 + $1.readableBytes })
            for buffer in buffers { unsafe buffer.withUnsafeReadableBytes { unsafe append(contentsOf: $0) } }
        }
    }
#endif
