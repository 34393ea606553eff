#if Valkey
    public import DarkroomCore
    import DarkroomFleet

    /// Work leases in a Valkey or Redis server.
    ///
    /// A lease is a key that expires by the engine's clock, and that can be taken over once the connection of its
    /// holder has ended. Its end is published, so that waiting nodes learn of it without polling. The engine holds
    /// nothing of value: it may lose all keys at any time, and needs neither persistence nor replication.
    public struct ValkeyLeases: WorkLeases {
        /// The client.
        public let client: ValkeyClient

        /// The time after which a lease expires unless it is renewed.
        public let life: Duration

        /// The maximum time for a lease request, even if its budget is larger.
        public let timeout: Duration

        /// Creates leases that expire after `life`, which is at least 10 ms.
        public init(_ client: ValkeyClient, life: Duration = .seconds(1), timeout: Duration = .milliseconds(250)) {
            self.client = client
            self.life = max(life, .milliseconds(10))
            self.timeout = timeout
        }

        /// Creates leases in the engine at this address, which requires neither a password nor TLS.
        public init(host: String, port: Int = 6379) {
            self.init(ValkeyClient(ValkeyConfiguration(ValkeyAddress(host: host, port: port))))
        }

        /// Requests the lease of `work`, for at most ``timeout`` and the rest of `budget`.
        public func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
            let end = ContinuousClock.now + min(timeout, budget.remaining)
            let place = LeasePlace(work, client: client, life: life)
            return await budget.result {
                do throws(ImageError) {
                    return try await answer(place, by: end)
                } catch {
                    if !Task.isCancelled { client.link.report(error) }
                    throw error
                }
            } ?? .unknown
        }

        private func answer(
            _ place: LeasePlace, by end: ContinuousClock.Instant
        ) async throws(ImageError) -> LeaseAnswer {
            if let lease = try await place.ask(by: end).lease { return .granted(lease) }
            let held = ValkeyHeldLease(place)
            try await held.listen(by: end)
            // The lease may have ended before this node listened.
            let (lease, holder) = try await place.ask(by: end)
            if let lease { return .granted(lease) }
            held.skipNews(before: holder)
            return .held(held)
        }
    }
#endif
