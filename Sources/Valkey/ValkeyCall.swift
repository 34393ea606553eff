#if Valkey
    import DarkroomCore
    import NIOCore
    import Synchronization

    /// A command that waits for its reply. It ends once: with the reply, a failure, its deadline, or cancellation. A
    /// reply that arrives later is discarded.
    final class ValkeyCall: Sendable {
        typealias Completion = @Sendable (Result<RESPValue, ImageError>) -> Void

        /// The kind of reply to a command.
        enum Reply {
            case value
            /// A push message, or an error.
            case confirmation
        }

        private struct State {
            var result: Result<RESPValue, ImageError>?
            var completion: Completion?
            var timer: Scheduled<Void>?
        }

        let command: RESPCommand
        let reply: Reply
        let deadline: NIODeadline
        private let state = Mutex(State())

        /// Creates a call that ends after `limit` at the latest.
        init(_ command: RESPCommand, reply: Reply = .value, within limit: Duration) {
            (self.command, self.reply) = (command, reply)
            deadline = .now() + TimeAmount(limit)
        }

        /// Whether the call has ended.
        var isOver: Bool { state.withLock { $0.result != nil } }

        /// Ends the call at its deadline, with a timer on `loop`.
        func startTimer(on loop: any EventLoop) {
            let timer: Scheduled<Void> = loop.scheduleTask(deadline: deadline) { [weak self] in
                guard let self else { return }
                end(.failure(ImageError(.timedOut, .cache, "the engine of leases has not answered in time")))
            }
            let isOver = state.withLock { state in
                state.timer = timer
                return state.result != nil
            }
            if isOver { timer.cancel() }
        }

        /// Ends the call, unless it has already ended.
        func end(_ result: Result<RESPValue, ImageError>) {
            let (completion, timer) = state.withLock { state -> (Completion?, Scheduled<Void>?) in
                guard state.result == nil else { return (nil, nil) }
                state.result = result
                return (state.completion.take(), state.timer.take())
            }
            timer?.cancel()
            completion?(result)
        }

        /// Calls `completion` once the call has ended.
        func whenEnded(_ completion: @escaping Completion) {
            let result = state.withLock { state in
                if state.result == nil { state.completion = completion }
                return state.result
            }
            if let result { completion(result) }
        }

        /// The reply, which can be awaited only once. Cancelling the task ends the call.
        var value: RESPValue {
            get async throws(ImageError) {
                let result = await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        whenEnded { continuation.resume(returning: $0) }
                    }
                } onCancel: {
                    end(.failure(ImageError(.cancelled, .cache, "the call was cancelled")))
                }
                return try result.get()
            }
        }
    }
#endif
