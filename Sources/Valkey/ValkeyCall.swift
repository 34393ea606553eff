#if Valkey
    import DarkroomCore
    import NIOCore
    import Synchronization

    /// A command that waits for its reply. It ends once: with the reply, a failure, its deadline, or cancellation. A
    /// reply that arrives later is discarded.
    final class ValkeyCall: Sendable {
        /// The kind of reply to a command.
        enum Reply {
            case value
            /// A push message, or an error.
            case confirmation
        }

        let command: RESPCommand
        let reply: Reply
        let deadline: NIODeadline
        private let result = FirstValue<Result<RESPValue, ImageError>>()
        private let timer = Mutex<Scheduled<Void>?>(nil)

        /// Creates a call that ends after `limit` at the latest.
        init(_ command: RESPCommand, reply: Reply = .value, within limit: Duration) {
            (self.command, self.reply) = (command, reply)
            deadline = .now() + TimeAmount(limit)
        }

        /// Whether the call has ended.
        var isOver: Bool { result.isKnown }

        /// Ends the call at its deadline, with a timer on `loop`.
        func startTimer(on loop: any EventLoop) {
            let timer: Scheduled<Void> = loop.scheduleTask(deadline: deadline) { [weak self] in
                guard let self else { return }
                end(.failure(ImageError(.timedOut, .cache, "the engine of leases has not answered in time")))
            }
            self.timer.withLock { $0 = timer }
            if isOver { timer.cancel() }
        }

        /// Ends the call, unless it has already ended.
        func end(_ result: Result<RESPValue, ImageError>) {
            guard self.result.offer(result) else { return }
            timer.withLock { $0.take() }?.cancel()
        }

        /// Calls `completion` once the call has ended.
        func whenEnded(_ completion: @escaping @Sendable (Result<RESPValue, ImageError>) -> Void) {
            result.read { if let result = $0 { completion(result) } }
        }

        /// The reply, which only one task at a time may await. Cancelling the task ends the call.
        var value: RESPValue {
            get async throws(ImageError) {
                let cancelled = ImageError(.cancelled, .cache, "the call was cancelled")
                let ended = await withTaskCancellationHandler {
                    await result.value
                } onCancel: {
                    end(.failure(cancelled))
                }
                return try (ended ?? .failure(cancelled)).get()
            }
        }
    }
#endif
