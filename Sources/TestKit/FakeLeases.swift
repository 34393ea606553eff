public import DarkroomCore
import DarkroomFleet
import Synchronization

/// Leases in memory for tests, shared by all that use the same object: each of them is a node of the fleet.
public final class FakeLeases: WorkLeases {
    /// The numbers of calls so far.
    public struct Counts: Hashable, Sendable {
        /// The requests for a lease, whatever the answer was.
        public var requests = 0
        /// The requests that were granted.
        public var grants = 0
        /// The requests for a lease that another node held.
        public var refusals = 0
        /// The renewals that found their lease still held.
        public var renewals = 0
    }

    fileprivate struct Holding {
        let token: Int
        var expiry: Duration
    }

    private struct State {
        var holdings: [WorkName: Holding] = [:]
        var listeners: [WorkName: [Int: OutcomeListener]] = [:]
        var outcomes: [WorkName: [WorkOutcome]] = [:]
        var counts = Counts()
        var lastToken = 0
        var isReachable = true

        mutating func nextToken() -> Int {
            lastToken += 1
            return lastToken
        }
    }

    private let state = Mutex(State())
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch

    /// The time after which a lease that is not renewed expires.
    public let life: Duration

    /// Creates leases that expire after `life`, measured with `clock`, as is the time for which nodes wait.
    public init(life: Duration = .seconds(2), clock: some Clock<Duration> = ContinuousClock()) {
        (self.life, self.clock) = (life, clock)
        stopwatch = Stopwatch(clock)
    }

    /// Whether the nodes reach the engine. Otherwise every answer is `LeaseAnswer.unknown`, and no end is heard.
    public var isReachable: Bool {
        get { state.withLock { $0.isReachable } }
        set { state.withLock { $0.isReachable = newValue } }
    }

    /// The numbers of calls so far.
    public var counts: Counts { state.withLock { $0.counts } }

    /// The work whose lease is held.
    public var heldNames: Set<WorkName> {
        let now = stopwatch.elapsed()
        return state.withLock { Set($0.holdings.filter { $0.value.expiry > now }.keys) }
    }

    /// Returns the outcomes of the leases of `work` that have ended, in order.
    public func outcomes(of work: WorkName) -> [WorkOutcome] { state.withLock { $0.outcomes[work] ?? [] } }

    /// Returns once a total of `count` requests were answered that another node holds the lease.
    public func waitForRefusals(_ count: Int) async {
        await StateChanges.wait { [self] in counts.refusals >= count }
    }

    /// Grants the lease, unless it is held, or the engine out of reach.
    public func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        guard budget.remaining > .zero, !Task.isCancelled else { return .unknown }
        let now = stopwatch.elapsed()
        let answer = state.withLock { state in
            state.counts.requests += 1
            guard state.isReachable else { return LeaseAnswer.unknown }
            let token = state.nextToken()
            if let holding = state.holdings[work], holding.expiry > now {
                state.counts.refusals += 1
                let listener = OutcomeListener()
                state.listeners[work, default: [:]][token] = listener
                return .held(FakeHeldLease(leases: self, work: work, number: token, listener: listener, clock: clock))
            }
            state.counts.grants += 1
            state.holdings[work] = Holding(token: token, expiry: now + life)
            let mayBeDone = state.outcomes[work]?.contains(.shared) ?? false
            return .granted(FakeLease(leases: self, work: work, token: token, mayBeDone: mayBeDone))
        }
        StateChanges.notify()
        return answer
    }

    fileprivate func renew(_ work: WorkName, token: Int) -> Bool {
        let now = stopwatch.elapsed()
        return state.withLock { state in
            guard state.isReachable else { return true }
            guard let holding = state.holdings[work], holding.token == token, holding.expiry > now else { return false }
            state.holdings[work]?.expiry = now + life
            state.counts.renewals += 1
            return true
        }
    }

    fileprivate func end(_ work: WorkName, token: Int, _ outcome: WorkOutcome) {
        let now = stopwatch.elapsed()
        let listeners = state.withLock { state -> [Int: OutcomeListener] in
            guard state.isReachable, let holding = state.holdings[work], holding.token == token, holding.expiry > now
            else { return [:] }
            state.holdings[work] = nil
            state.outcomes[work, default: []].append(outcome)
            return state.listeners.removeValue(forKey: work) ?? [:]
        }
        for listener in listeners.values { listener.hear(outcome) }
        StateChanges.notify()
    }

    fileprivate func removeListener(_ number: Int, of work: WorkName) {
        state.withLock { state in
            state.listeners[work]?[number] = nil
            if state.listeners[work]?.isEmpty == true { state.listeners[work] = nil }
        }
    }
}

private struct FakeLease: WorkLease {
    let leases: FakeLeases
    let work: WorkName
    let token: Int
    let mayBeDone: Bool

    var renewalInterval: Duration { leases.life / 3 }

    func renew() async -> Bool { leases.renew(work, token: token) }
    func end(_ outcome: WorkOutcome) async { leases.end(work, token: token, outcome) }
}

private final class FakeHeldLease: HeldLease {
    private let leases: FakeLeases
    private let work: WorkName
    private let number: Int
    private let listener: OutcomeListener
    private let clock: any Clock<Duration>

    init(leases: FakeLeases, work: WorkName, number: Int, listener: OutcomeListener, clock: any Clock<Duration>) {
        (self.leases, self.work, self.number) = (leases, work, number)
        (self.listener, self.clock) = (listener, clock)
    }

    deinit { leases.removeListener(number, of: work) }

    func outcome(within limit: Duration) async -> WorkOutcome? { await listener.outcome(within: limit, clock: clock) }
}
