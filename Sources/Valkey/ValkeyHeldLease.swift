#if Valkey
    import DarkroomCore
    import DarkroomFleet
    import Synchronization

    /// A lease held by another node. It listens for its end while it is referenced.
    final class ValkeyHeldLease: HeldLease {
        private struct State {
            var subscription: Int?
            /// The messages that arrived before the holder was known.
            var early: [LeaseNews]? = []
        }

        private let place: LeasePlace
        private let listener = OutcomeListener()
        private let state = Mutex(State())

        init(_ place: LeasePlace) { self.place = place }

        deinit {
            guard let subscription = state.withLock(\.subscription) else { return }
            let link = place.client.link
            link.subscriptions.remove(subscription, from: place.channel, over: link)
        }

        /// Subscribes to the end of the lease. Returns once the engine has confirmed it.
        func listen(by end: ContinuousClock.Instant) async throws(ImageError) {
            let link = place.client.link
            let subscriber = Subscriptions.Listener(
                onMessage: { [weak self] payload in self?.hear(payload) },
                onEnd: { [listener] in listener.disconnect() })
            let (id, confirmation) = link.subscriptions.add(
                subscriber, to: place.channel, over: link, within: end - .now)
            state.withLock { $0.subscription = id }
            try await confirmation.value.checkError()
        }

        /// Discards earlier messages about leases other than that of `holder`, which ended before this node asked.
        func skipNews(before holder: String?) {
            let early = state.withLock { state in
                defer { state.early = nil }
                return state.early ?? []
            }
            if let news = early.first(where: { $0.token == holder }) { listener.hear(news.outcome) }
        }

        func outcome(within limit: Duration) async -> WorkOutcome? { await listener.outcome(within: limit) }

        private func hear(_ payload: [UInt8]) {
            guard let news = LeaseNews(payload) else { return }
            let isEarly = state.withLock { state in
                state.early?.append(news)
                return state.early != nil
            }
            if !isEarly { listener.hear(news.outcome) }
        }
    }

    /// The message that a lease has ended.
    private struct LeaseNews {
        let outcome: WorkOutcome
        let token: String

        /// Parses a message; `nil` if it is invalid.
        init?(_ payload: [UInt8]) {
            guard payload.count <= 100, let text = String(validating: payload, as: UTF8.self) else { return nil }
            let parts = text.split(separator: " ")
            guard parts.count == 2, let outcome = WorkOutcome(rawValue: String(parts[0])) else { return nil }
            (self.outcome, token) = (outcome, String(parts[1]))
        }
    }
#endif
