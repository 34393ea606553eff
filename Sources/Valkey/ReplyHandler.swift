#if Valkey
    import DarkroomCore
    import NIOCore

    /// Sends calls on a connection and matches them with the replies, which arrive in the same order. It closes the
    /// connection when the engine violates the protocol or is silent for too long.
    final class ReplyHandler: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = ValkeyCall
        typealias OutboundOut = ByteBuffer

        /// Receives whatever does not answer a call.
        struct Observer: Sendable {
            /// Receives the messages of a channel.
            var onMessage: @Sendable (_ channel: [UInt8], _ payload: [UInt8]) -> Void
            /// Called when the engine falls silent.
            var onSilence: @Sendable () -> Void
        }

        /// The time without an answer after which calls fail immediately.
        static let silenceLimit = TimeAmount.milliseconds(150)
        /// The interval between two checks of the oldest call.
        static let watchInterval = TimeAmount.milliseconds(50)
        /// The time without an answer after which the connection is closed.
        static let stallLimit = TimeAmount.seconds(5)
        /// The time without traffic after which the engine is pinged.
        static let idleLimit = TimeAmount.seconds(10)
        /// The maximum number of pending calls.
        static let pendingLimit = 10_000

        private let observer: Observer
        /// Whether arrays are messages, as on a RESP2 connection that has subscribed.
        private let receivesMessagesAsArrays: Bool
        private var parser = RESPParser()
        private var pending = CircularBuffer<(call: ValkeyCall, sent: NIODeadline)>()
        private var lastReceived = NIODeadline.now()
        /// The next check of the oldest call, or of an idle connection.
        private var watch: Scheduled<Void>?
        private var isWatchingCalls = false
        /// The number of checks since the limit of silence has passed. A single one may be the fault of this process:
        /// while it was busy, an answer may have arrived that is not read yet.
        private var silentLookCount = 0
        private var failure: ImageError?

        /// Creates a handler for a new connection.
        init(receivesMessagesAsArrays: Bool, observer: Observer) {
            self.receivesMessagesAsArrays = receivesMessagesAsArrays
            self.observer = observer
        }

        func channelActive(context: ChannelHandlerContext) {
            scheduleWatch(context)
            context.fireChannelActive()
        }

        func channelInactive(context: ChannelHandlerContext) {
            watch?.cancel()
            end(failure ?? ImageError(.network, .cache, "the connection to the engine of leases was lost"))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            close(
                context,
                ImageError(.network, .cache, "the connection to the engine of leases has failed", underlying: error))
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let call = unwrapOutboundIn(data)
            if let failure = reasonToRefuse(call) {
                call.end(.failure(failure))
                promise?.succeed()
                return
            }
            var buffer = context.channel.allocator.buffer(capacity: 128)
            call.command.write(to: &buffer)
            pending.append((call, .now()))
            if !isWatchingCalls { scheduleWatch(context) }
            context.write(wrapOutboundOut(buffer), promise: promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard failure == nil else { return }
            lastReceived = .now()
            silentLookCount = 0
            parser.append(unwrapInboundIn(data).readableBytesView)
            do throws(RESPViolation) {
                while let value = try parser.next() { try receive(value) }
            } catch {
                close(
                    context,
                    ImageError(.corrupt, .cache, "the engine of leases violates its protocol: \(error.message)"))
            }
        }

        private func reasonToRefuse(_ call: ValkeyCall) -> ImageError? {
            if let failure { return failure }
            if call.isOver { return ImageError(.timedOut, .cache, "the call has ended before it was sent") }
            if pending.count >= Self.pendingLimit {
                return ImageError(.busy, .cache, "\(pending.count) calls wait for the engine of leases")
            }
            return isSilent && isAwaited(call) ? Self.silenceError : nil
        }

        /// Whether a caller waits for `call`. Nobody waits for subscriptions and removals, whose deadlines are long.
        private func isAwaited(_ call: ValkeyCall) -> Bool { call.deadline < .now() + Self.stallLimit }

        private static let silenceError = ImageError(.timedOut, .cache, "the engine of leases does not answer")

        /// The time for which the oldest call has been pending and nothing else has arrived.
        private var silence: TimeAmount {
            guard let sent = pending.first?.sent else { return .zero }
            return .now() - max(sent, lastReceived)
        }

        private var isSilent: Bool { silentLookCount >= 2 }

        private func receive(_ value: RESPValue) throws(RESPViolation) {
            switch value {
            case .push(let items): try receive(message: items)
            case .array(let items) where receivesMessagesAsArrays && items.first != .bytes(Array("pong".utf8)):
                try receive(message: items)
            default: try receive(reply: value)
            }
        }

        private func receive(reply value: RESPValue) throws(RESPViolation) {
            guard let call = pending.popFirst()?.call else { throw RESPViolation("a reply has no command") }
            if call.reply == .confirmation, value.error == nil {
                throw RESPViolation("a subscription is not confirmed")
            }
            call.end(.success(value))
        }

        private func receive(message items: [RESPValue]) throws(RESPViolation) {
            switch items.first?.text {
            case "message":
                guard items.count == 3, case .bytes(let channel) = items[1], case .bytes(let payload) = items[2] else {
                    throw RESPViolation("a message is invalid")
                }
                observer.onMessage(channel, payload)
            case "subscribe", "unsubscribe":
                guard let call = pending.popFirst()?.call, call.reply == .confirmation else {
                    throw RESPViolation("a confirmation has no command")
                }
                call.end(.success(.push(items)))
            default: break
            }
        }

        private func close(_ context: ChannelHandlerContext, _ error: ImageError) {
            if failure == nil { failure = error }
            end(error)
            context.close(promise: nil)
        }

        private func end(_ error: ImageError) {
            failure = failure ?? error
            let calls = pending
            pending = []
            for (call, _) in calls { call.end(.failure(error)) }
        }

        private func scheduleWatch(_ context: ChannelHandlerContext) {
            watch?.cancel()
            isWatchingCalls = !pending.isEmpty
            let interval = isWatchingCalls ? Self.watchInterval : Self.idleLimit
            watch = context.eventLoop.assumeIsolated().scheduleTask(in: interval) {
                guard self.failure == nil, context.channel.isActive else { return }
                self.checkForLife(context)
                self.scheduleWatch(context)
            }
        }

        private func checkForLife(_ context: ChannelHandlerContext) {
            let silence = silence
            let wasSilent = isSilent
            silentLookCount = silence > Self.silenceLimit ? silentLookCount + 1 : 0
            if isSilent, !wasSilent {
                // Their replies, if they come, are discarded.
                for (call, _) in pending where isAwaited(call) { call.end(.failure(Self.silenceError)) }
                observer.onSilence()
            }
            if isSilent, silence > Self.stallLimit {
                close(context, Self.silenceError)
            } else if pending.isEmpty, .now() - lastReceived >= Self.idleLimit {
                context.channel.writeAndFlush(ValkeyCall(RESPCommand("PING"), within: .seconds(60)), promise: nil)
            }
        }
    }

    extension RESPValue {
        /// The text of an error; `nil` for other values.
        var error: String? {
            guard case .error(let text) = self else { return nil }
            return text
        }
    }
#endif
