#if Valkey
    import DarkroomCore
    import Synchronization

    /// The channels to which a client listens. Each is subscribed to once, however many listeners it has, and only
    /// while it has any.
    final class Subscriptions: Sendable {
        /// A listener on one channel.
        struct Listener: Sendable {
            /// Whether the listener resumes in the next session instead of ending with the current one.
            var outlivesSessions = false
            var onMessage: @Sendable (_ payload: [UInt8]) -> Void
            /// Called when no more messages will arrive, or when the engine is silent. It may be called twice.
            var onEnd: @Sendable () -> Void = {}
        }

        private struct Entry {
            var listeners: [Int: Listener] = [:]
            /// The identifier of the pending subscription; `nil` if there is none.
            var request: Int?
            var isActive = false
            /// The calls that wait for the subscription.
            var waiters: [ValkeyCall] = []
        }

        private struct State {
            var entries: [[UInt8]: Entry] = [:]
            var lastID = 0
            /// Whether no listeners are accepted any more.
            var isOver = false

            mutating func nextID() -> Int {
                lastID += 1
                return lastID
            }
        }

        private let state = Mutex(State())

        /// Whether the engine has confirmed the subscription to `channel` in this session.
        func isActive(_ channel: String) -> Bool {
            state.withLock { $0.entries[Array(channel.utf8)]?.isActive == true }
        }

        /// Adds `listener` to `channel`. Returns its identifier, and a call that ends once the engine has confirmed the
        /// subscription.
        func add(
            _ listener: Listener, to channel: String, over link: ValkeyLink, within limit: Duration
        ) -> (id: Int, confirmation: ValkeyCall) {
            let name = Array(channel.utf8)
            let waiter = ValkeyCall(RESPCommand(), within: limit)
            link.startTimer(of: waiter)
            let (id, isActive, isOver) = state.withLock { state in
                let id = state.nextID()
                if state.isOver { return (id, false, true) }
                var entry = state.entries[name] ?? Entry()
                entry.listeners[id] = listener
                if !entry.isActive { entry.waiters.append(waiter) }
                if !entry.isActive, entry.request == nil { entry.request = request(name, id: id, over: link) }
                state.entries[name] = entry
                return (id, entry.isActive, false)
            }
            if isActive { waiter.end(.success(.null)) }
            if isOver {
                waiter.end(.failure(ValkeyLink.closedError))
                listener.onEnd()
            }
            return (id, waiter)
        }

        /// Removes the listener `id` of `channel`, and unsubscribes if it was the last one.
        func remove(_ id: Int, from channel: String, over link: ValkeyLink) {
            let name = Array(channel.utf8)
            let waiters = state.withLock { state -> [ValkeyCall] in
                guard var entry = state.entries[name], entry.listeners.removeValue(forKey: id) != nil else { return [] }
                state.entries[name] = entry.listeners.isEmpty ? nil : entry
                guard entry.listeners.isEmpty else { return [] }
                Self.unsubscribe(name, over: link)
                return entry.waiters
            }
            for waiter in waiters { waiter.end(.success(.null)) }
        }

        /// Delivers a message to the listeners of `channel`.
        func deliver(_ payload: [UInt8], of channel: [UInt8]) {
            let listeners = state.withLock { Array(($0.entries[channel]?.listeners ?? [:]).values) }
            for listener in listeners { listener.onMessage(payload) }
        }

        /// Subscribes again for the listeners that have outlived the last session.
        func resume(on link: ValkeyLink) {
            state.withLock { state in
                for (name, entry) in state.entries where !entry.isActive && entry.request == nil {
                    let id = request(name, id: state.nextID(), over: link)
                    state.entries[name]?.request = id
                }
            }
        }

        /// Notifies the listeners that do not outlive the session that the engine is silent.
        func interrupt() {
            let listeners = state.withLock { state in state.entries.values.flatMap(\.listeners.values) }
            for listener in listeners where !listener.outlivesSessions { listener.onEnd() }
        }

        /// Ends the listeners that do not outlive the session.
        func suspend() { end { !$0.outlivesSessions } }

        /// Ends all listeners.
        func end() {
            state.withLock { $0.isOver = true }
            end { _ in true }
        }

        private func end(_ isOver: (Listener) -> Bool) {
            let ended = state.withLock { state in
                var ended: [Listener] = []
                for (name, var entry) in state.entries {
                    ended += entry.listeners.values.filter(isOver)
                    entry.listeners = entry.listeners.filter { !isOver($0.value) }
                    entry.isActive = false
                    state.entries[name] = entry.listeners.isEmpty ? nil : entry
                }
                return ended
            }
            for listener in ended { listener.onEnd() }
        }

        /// Subscribes to `channel`, and returns the identifier of the request.
        ///
        /// The request is submitted while the lock is held, so that requests are sent in the order of the changes of
        /// state.
        private func request(_ channel: [UInt8], id: Int, over link: ValkeyLink) -> Int {
            // Long enough that it ends only with the connection: a subscription that fails is not requested again.
            let call = ValkeyCall(
                RESPCommand("SUBSCRIBE", payload: channel), reply: .confirmation, within: .seconds(60))
            call.whenEnded { [weak self, weak link] result in
                guard let self, let link else { return }
                finish(channel, id: id, over: link, result)
            }
            link.submit(call)
            return id
        }

        private func finish(
            _ channel: [UInt8], id: Int, over link: ValkeyLink, _ result: Result<RESPValue, ImageError>
        ) {
            let waiters = state.withLock { state -> [ValkeyCall] in
                guard var entry = state.entries[channel] else {
                    Self.unsubscribe(channel, over: link)
                    return []
                }
                guard entry.request == id else { return [] }
                entry.request = nil
                if case .success(.push) = result { entry.isActive = true }
                defer { state.entries[channel] = entry }
                return entry.waiters.take()
            }
            StateChanges.notify()
            do throws(ImageError) { try result.get().checkError() } catch { link.report(error) }
            for waiter in waiters { waiter.end(result) }
        }

        private static func unsubscribe(_ channel: [UInt8], over link: ValkeyLink) {
            link.sendWithoutWaiting(RESPCommand("UNSUBSCRIBE", payload: channel), reply: .confirmation)
        }
    }

    extension [ValkeyCall] {
        /// Removes and returns all calls.
        fileprivate mutating func take() -> [ValkeyCall] {
            defer { self = [] }
            return self
        }
    }
#endif
