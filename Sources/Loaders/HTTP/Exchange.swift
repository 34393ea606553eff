#if HTTP
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// One request and its response as it comes, for one reader. It ends when it is forgotten.
    ///
    /// Bytes are gathered where they arrive, so that a small body costs its reader no more than one wait. While there are
    /// many that nobody has taken, the connection is not read.
    final class Exchange: Sendable {
        private let receiver: ResponseReceiver
        private let task: HTTPClient.Task<Void>
        private let connection: OwnedClient
        private let alarm: Alarm

        /// Sends `request` over `connection`, and calls `isSent` when it goes out. `alarm` rings at deadlines.
        init(
            _ request: HTTPClient.Request, over connection: OwnedClient, _ alarm: Alarm,
            isSent: @escaping @Sendable () -> Void
        ) {
            receiver = ResponseReceiver(isSent: isSent)
            task = connection.client.execute(
                request: request, delegate: receiver, eventLoop: .delegate(on: connection.eventLoop))
            self.connection = connection
            self.alarm = alarm
        }

        deinit { end(CancellationError()) }

        /// The head of the response. At `deadline` it ends with that one's error.
        func head(until deadline: Deadline?) async throws -> HTTPResponseHead {
            endIfLate(deadline)
            while true {
                if let head = try receiver.head { return head }
                await wait(until: deadline)
            }
        }

        /// The bytes of the body that came since the last call; `nil` at its end. At `deadline` it ends with that one's error.
        func nextBytes(until deadline: Deadline?) async throws -> Data? {
            endIfLate(deadline)
            while true {
                let (data, isAtEnd) = try receiver.takeBytes()
                if data != nil || isAtEnd { return data }
                await wait(until: deadline)
            }
        }

        /// Ends it. Whoever waits, or asks later, gets `error`; what came and was not taken is forgotten.
        func end(_ error: any Error) {
            receiver.end(error)
            task.cancel()
        }

        private func endIfLate(_ deadline: Deadline?) {
            if let deadline, deadline.hasPassed { end(deadline.error) }
            if Task.isCancelled { end(CancellationError()) }
        }

        /// Returns when more has come, or it has ended.
        private func wait(until deadline: Deadline?) async {
            let call = deadline.map { deadline in
                alarm.set(deadline.instant) { [weak self] in self?.end(deadline.error) }
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { receiver.resume($0) }
            } onCancel: {
                end(CancellationError())
            }
            if let call { alarm.takeBack(call) }
        }
    }
#endif
