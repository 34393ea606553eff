#if HTTP
    import AsyncHTTPClient
    import DarkroomPlatform
    import NIOCore
    import NIOHTTP1

    /// One request and its streamed response, for one reader. Releasing the last reference ends it.
    ///
    /// Bytes are collected on the connection's thread, so that reading a small body suspends the reader at most once.
    /// While many unread bytes are buffered, the connection is not read.
    final class HTTPExchange: Sendable {
        private let receiver: ResponseReceiver
        private let task: HTTPClient.Task<Void>
        private let connection: OwnedClient
        private let timer: DeadlineTimer

        /// Sends `request` over `connection`, and calls `isSent` once its head has been sent. `timer` calls back at
        /// deadlines.
        init(
            _ request: HTTPClient.Request, over connection: OwnedClient, timer: DeadlineTimer,
            isSent: @escaping @Sendable () -> Void
        ) {
            receiver = ResponseReceiver(isSent: isSent)
            task = connection.client.execute(
                request: request, delegate: receiver, eventLoop: .delegate(on: connection.eventLoop))
            self.connection = connection
            self.timer = timer
        }

        deinit { end(CancellationError()) }

        /// Returns the head of the response. At `deadline` the exchange ends with that deadline's error.
        func head(until deadline: Deadline?) async throws -> HTTPResponseHead {
            endIfLate(deadline)
            while true {
                if let head = try receiver.head { return head }
                await wait(until: deadline)
            }
        }

        /// Returns the bytes of the body received since the last call; `nil` at its end. At `deadline` the exchange
        /// ends with that deadline's error.
        func nextBytes(until deadline: Deadline?) async throws -> Data? {
            endIfLate(deadline)
            while true {
                let (data, isAtEnd) = try receiver.takeBytes()
                if data != nil || isAtEnd { return data }
                await wait(until: deadline)
            }
        }

        /// Ends the exchange. Current and later readers get `error`; unread bytes are discarded.
        func end(_ error: any Error) {
            receiver.end(error)
            task.cancel()
        }

        private func endIfLate(_ deadline: Deadline?) {
            if let deadline, deadline.hasPassed { end(deadline.error) }
            if Task.isCancelled { end(CancellationError()) }
        }

        /// Returns once more has been received or the exchange has ended.
        private func wait(until deadline: Deadline?) async {
            let call = deadline.map { deadline in
                timer.schedule(at: deadline.instant) { [weak self] in self?.end(deadline.error) }
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { receiver.resume($0) }
            } onCancel: {
                end(CancellationError())
            }
            if let call { timer.cancel(call) }
        }
    }
#endif
