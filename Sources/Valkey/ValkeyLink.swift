#if Valkey
    import DarkroomCore
    import NIOCore
    import NIOPosix
    import Synchronization

    /// Maintains a session with the engine, and reconnects when it is lost.
    final class ValkeyLink: Sendable {
        private enum Phase {
            /// No call has been submitted yet.
            case idle
            case connecting(start: NIODeadline)
            case connected(ValkeySession)
            /// The engine was unreachable, and is tried again at this time.
            case waiting(until: NIODeadline)
            case closed
        }

        private struct State {
            var phase = Phase.idle
            /// The calls to send when a session begins.
            var queue: [ValkeyCall] = []
            /// The error of the last connection attempt; `nil` if it succeeded.
            var failure: ImageError?
            var work: Task<Void, Never>?
            var sessionCount = 0
        }

        private let configuration: ValkeyConfiguration
        private let loop: any EventLoop
        private let state = Mutex(State())
        let subscriptions = Subscriptions()
        private let failures: FailureReports

        /// Creates a link that connects when the first call is submitted.
        init(_ configuration: ValkeyConfiguration, failures: FailureReports = FailureReports(nil)) {
            self.configuration = configuration
            self.failures = failures
            loop = MultiThreadedEventLoopGroup.singleton.next()
        }

        /// The number of sessions so far.
        var sessionCount: Int { state.withLock { $0.sessionCount } }

        /// Whether a session is under way.
        var isConnected: Bool {
            state.withLock { if case .connected = $0.phase { true } else { false } }
        }

        /// Sends `call` now, or once a session begins; it fails if none begins before its deadline. Calls are sent in
        /// the order of submission, and none ends before this returns.
        func submit(_ call: ValkeyCall) {
            call.startTimer(on: loop)
            let refusal = state.withLock { state -> ImageError? in
                switch state.phase {
                case .connected(let session):
                    session.send(call)
                    return nil
                case .idle:
                    state.phase = .connecting(start: .now())
                    state.work = Task { await run() }
                    state.queue.append(call)
                    return nil
                case .connecting, .waiting, .closed: return Self.enqueue(call, in: &state)
                }
            }
            if let refusal { fail(call, refusal) }
        }

        /// Ends `call`, which is never submitted, at its deadline.
        func startTimer(of call: ValkeyCall) { call.startTimer(on: loop) }

        /// Begins a session if there is none.
        func connect() { submit(ValkeyCall(RESPCommand("PING"), within: configuration.connectTimeout)) }

        /// Sends `command` if a session is under way, and ignores the reply.
        func sendWithoutWaiting(_ command: RESPCommand, reply: ValkeyCall.Reply = .value) {
            let call = ValkeyCall(command, reply: reply, within: .seconds(60))
            state.withLock { if case .connected(let session) = $0.phase { session.send(call) } }
        }

        /// Reports a failure, unless the link was shut down.
        func report(_ error: ImageError) {
            let isClosed = state.withLock { if case .closed = $0.phase { true } else { false } }
            if !isClosed { failures.report(error, cause: error.kind.rawValue) }
        }

        /// Ends the session for good. Pending and later calls fail.
        func shutDown() {
            let (phase, queue, work) = state.withLock { state in
                defer { (state.phase, state.queue, state.work) = (.closed, [], nil) }
                return (state.phase, state.queue, state.work)
            }
            work?.cancel()
            if case .connected(let session) = phase { session.close() }
            for call in queue { fail(call, Self.closedError) }
            subscriptions.end()
        }

        private func run() async {
            var failureCount = 0
            while !Task.isCancelled {
                let start = NIODeadline.now()
                let failure = await runSession()
                if let failure { report(failure) }
                // An engine that closes each connection at once counts as one that is out of reach.
                failureCount = failure == nil && .now() - start > .seconds(5) ? 1 : failureCount + 1
                let pause = Self.pause(failureCount)
                guard loseSession(failure, retryAfter: pause) else { return }
                try? await Task.sleep(for: pause)
                state.withLock { state in
                    if case .waiting = state.phase { state.phase = .connecting(start: .now()) }
                }
            }
        }

        /// Connects and returns once the session has ended. Returns the error if it could not begin.
        private func runSession() async -> ImageError? {
            do throws(ImageError) {
                let observer = ReplyHandler.Observer(
                    onMessage: { [subscriptions] channel, payload in subscriptions.deliver(payload, of: channel) },
                    onSilence: { [subscriptions] in subscriptions.interrupt() })
                let session = try await ValkeySession.open(configuration, on: loop, observer: observer)
                if begin(session) { await session.waitForEnd() } else { session.close() }
                return nil
            } catch {
                return error
            }
        }

        /// Starts sending calls in `session`. Returns `false` if the link was shut down.
        private func begin(_ session: ValkeySession) -> Bool {
            let isOpen = state.withLock { state in
                if case .closed = state.phase { return false }
                for call in state.queue { session.send(call) }
                (state.phase, state.queue, state.failure) = (.connected(session), [], nil)
                state.sessionCount += 1
                return true
            }
            if isOpen { subscriptions.resume(on: self) }
            StateChanges.notify()
            return isOpen
        }

        /// Stops sending calls. Returns `false` if the link was shut down.
        private func loseSession(_ failure: ImageError?, retryAfter pause: Duration) -> Bool {
            let next = NIODeadline.now() + TimeAmount(pause)
            let late = state.withLock { state -> [ValkeyCall]? in
                if case .closed = state.phase { return nil }
                (state.phase, state.failure) = (.waiting(until: next), failure)
                // What the engine refuses once, such as a password, it refuses again.
                let isRefused = failure?.kind == .refused
                let late = state.queue.filter { isRefused || $0.deadline <= next || $0.isOver }
                state.queue.removeAll { isRefused || $0.deadline <= next || $0.isOver }
                return late
            }
            subscriptions.suspend()
            for call in late ?? [] { call.end(.failure(failure ?? Self.lossError)) }
            StateChanges.notify()
            return late != nil
        }

        /// Queues `call` for the next session. Returns the error if it must not wait.
        private static func enqueue(_ call: ValkeyCall, in state: inout State) -> ImageError? {
            switch state.phase {
            case .waiting(let next) where next >= call.deadline: return state.failure ?? lossError
            case .connecting(let start) where .now() - start > ReplyHandler.silenceLimit:
                if let failure = state.failure { return failure }
            case .closed: return closedError
            default: break
            }
            if state.queue.count >= ReplyHandler.pendingLimit { state.queue.removeAll(where: \.isOver) }
            guard state.queue.count < ReplyHandler.pendingLimit else {
                return ImageError(.busy, .cache, "\(state.queue.count) calls wait for the engine of leases")
            }
            state.queue.append(call)
            return nil
        }

        private func fail(_ call: ValkeyCall, _ error: ImageError) { loop.execute { call.end(.failure(error)) } }

        /// Returns the pause before the next connection attempt, after `failureCount` failures: up to 5 s, of which up
        /// to a half is random, so that the nodes of a fleet do not reconnect at once.
        static func pause(_ failureCount: Int) -> Duration {
            min(.milliseconds(25 << min(failureCount, 10)), .seconds(5)) * Double.random(in: 0.5...1)
        }

        static let closedError = ImageError(.refused, .cache, "the client of leases was shut down")
        private static let lossError = ImageError(.network, .cache, "the connection to the engine of leases was lost")
    }
#endif
