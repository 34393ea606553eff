#if os(Linux) || os(macOS)
    @testable import DarkroomCore
    import DarkroomFleet

    /// The leases of a simulated engine, as one node sees them over its connection. The questions are those of
    /// `ValkeyLeases`.
    struct SimulatedLeases: WorkLeases {
        private static let timeout = Duration.milliseconds(250)

        let world: World
        let link: Link
        let clock: VirtualClock
        /// The probability that a renewal is lost.
        let lostRenewals: Double

        /// The engine that the node reaches now.
        var engine: SimulatedLeaseEngine { world.leaseEngine(of: link.life.id) }

        func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
            let end = clock.runtime.now + min(Self.timeout, budget.remaining)
            return await budget.result { await answer(work, by: end) } ?? .unknown
        }

        private func answer(_ work: WorkName, by end: Duration) async -> LeaseAnswer {
            switch await ask(for: work, by: end) {
            case nil: return .unknown
            case .granted(let lease)?: return .granted(lease)
            case .held?: break
            }
            let held = SimulatedHeldLease(work, of: self)
            guard await held.listen(by: end) else { return .unknown }
            // The lease may have ended before this node listened.
            switch await ask(for: work, by: end) {
            case nil: return .unknown
            case .granted(let lease)?: return .granted(lease)
            case .held(let holder)?:
                held.skipNews(before: holder)
                return .held(held)
            }
        }

        private enum Answer {
            case granted(SimulatedLease)
            case held(by: Int)
        }

        private func ask(for work: WorkName, by end: Duration) async -> Answer? {
            let token = Int(clock.runtime.random(in: 1...Int64.max))
            let reply = await link.answer(by: end) { [self] in
                engine.ask(for: work, token: token, node: link.life)
            }
            guard let reply else {
                // The engine may grant the lease nevertheless.
                link.send { [self] in engine.end(work, token: token, .cancelled) }
                return nil
            }
            guard reply.isGranted else { return .held(by: reply.holder) }
            return .granted(SimulatedLease(work, token: token, mayBeDone: reply.mayBeDone, of: self))
        }
    }

    /// A lease that this node holds. It is released if it is no longer referenced before its end.
    private final class SimulatedLease: WorkLease {
        let mayBeDone: Bool
        private let work: WorkName
        private let token: Int
        private let leases: SimulatedLeases
        private let isOver = Locked(false)

        init(_ work: WorkName, token: Int, mayBeDone: Bool, of leases: SimulatedLeases) {
            (self.work, self.token, self.mayBeDone, self.leases) = (work, token, mayBeDone, leases)
        }

        deinit { if !isOver.value { leases.link.send(ending(.cancelled)) } }

        var renewalInterval: Duration { leases.engine.life / 3 }

        func renew() async -> Bool {
            let runtime = leases.clock.runtime
            let isLost = runtime.chance(leases.lostRenewals)
            let isHeld = await leases.link.answer(by: runtime.now + renewalInterval) { [self] in
                isLost || leases.engine.renew(work, token: token)
            }
            return isHeld ?? true
        }

        func end(_ outcome: WorkOutcome) async {
            isOver.withLock { $0 = true }
            _ = await leases.link.answer(by: leases.clock.runtime.now + leases.engine.life, ending(outcome))
        }

        private func ending(_ outcome: WorkOutcome) -> @Sendable () -> Void {
            { [leases, work, token] in leases.engine.end(work, token: token, outcome) }
        }
    }

    /// A lease that another node holds. It listens for its end as long as it is referenced.
    private final class SimulatedHeldLease: HeldLease {
        private typealias News = (token: Int, outcome: WorkOutcome)

        private let id: Int
        private let work: WorkName
        private let leases: SimulatedLeases
        private let listener = OutcomeListener()
        /// The news before the holder was known.
        private let early = Locked<[News]?>([])

        init(_ work: WorkName, of leases: SimulatedLeases) {
            (self.work, self.leases) = (work, leases)
            id = Int(leases.clock.runtime.random(in: 1...Int64.max))
        }

        deinit { leases.link.send { [leases, id, work] in leases.engine.removeListener(id, from: work) } }

        /// Returns whether the engine has confirmed that this node will hear of the end.
        func listen(by end: Duration) async -> Bool {
            await leases.link.answer(by: end) { [weak self, leases, id, work] in
                leases.engine.addListener(id, of: leases.link.life, to: work) { token, outcome in
                    leases.link.deliver { self?.hear((token, outcome)) }
                }
                return true
            } ?? false
        }

        /// Ignores what was heard until now of other leases than that of `holder`.
        func skipNews(before holder: Int) {
            let news = early.withLock { early in
                defer { early = nil }
                return early ?? []
            }
            if let news = news.first(where: { $0.token == holder }) { listener.hear(news.outcome) }
        }

        func outcome(within limit: Duration) async -> WorkOutcome? {
            await Ledger.explained(by: leases.clock.runtime) {
                await listener.outcome(within: limit, clock: leases.clock)
            }
        }

        private func hear(_ news: News) {
            let isEarly = early.withLock { early in
                early?.append(news)
                return early != nil
            }
            if !isEarly { listener.hear(news.outcome) }
        }
    }
#endif
