import DarkroomCore

extension WorkLeasesContract {
    func nodes(_ count: Int) async throws -> [any WorkLeases] {
        var nodes: [any WorkLeases] = []
        for _ in 0..<count { nodes.append(try await makeNode()) }
        return nodes
    }

    /// Returns the lease of `work`, which must be granted to `node`.
    func grant(
        _ work: WorkName, to node: any WorkLeases, naming situation: String = "a lease that nobody holds"
    ) async throws -> any WorkLease {
        let answer = await node.lease(for: work, budget: .ample)
        if case .granted(let lease) = answer { return lease }
        throw Subject(node).violation("\(situation) is \(answer.shown)")
    }

    /// Returns the lease of `work`, which another node must hold.
    func held(
        _ work: WorkName, by node: any WorkLeases, naming situation: String = "a lease that another node holds"
    ) async throws -> any HeldLease {
        let answer = await node.lease(for: work, budget: .ample)
        if case .held(let lease) = answer { return lease }
        throw Subject(node).violation("\(situation) is \(answer.shown)")
    }

    /// Requires that a wait for `lease` ends with `outcome`.
    func requireNews(
        _ outcome: WorkOutcome, from lease: any HeldLease, of node: any WorkLeases, situation: String
    ) async throws {
        let news = await lease.outcome(within: life / 2)
        try Subject(node).require(
            news == outcome, "a node hears \(news.shown) instead of \(outcome) \(situation)")
    }

    /// Runs `body` again if it fails and has taken longer than `limit`: a lease may have expired meanwhile.
    func timely(_ limit: Duration, _ body: () async throws -> Void) async throws {
        for _ in 0..<4 {
            let start = ContinuousClock.now
            do {
                return try await body()
            } catch {
                guard error is SlowMachine || ContinuousClock.now - start > limit else { throw error }
            }
        }
        try await body()
    }
}

/// The checks ran too slowly to judge the leases.
struct SlowMachine: Error {}

extension Subject {
    /// Returns the result of `body`, which must end within `timeout`; otherwise it is abandoned.
    @discardableResult
    func ending<Value: Sendable>(
        _ what: String, within timeout: Duration, _ body: @escaping @Sendable () async -> Value
    ) async throws -> Value {
        let values = Recorder<Value>()
        let task = Task<Void, any Error> { values.note(await body()) }
        guard await task.result(within: timeout) != nil, let value = values.values.first else {
            task.cancel()
            throw violation("\(what) does not end within \(timeout)")
        }
        return value
    }
}

extension TierBudget {
    /// A budget that suffices for any request that is answered at all.
    static var ample: TierBudget { TierBudget(.seconds(10)) }
}

extension LeaseAnswer {
    var granted: (any WorkLease)? {
        guard case .granted(let lease) = self else { return nil }
        return lease
    }

    var held: (any HeldLease)? {
        guard case .held(let lease) = self else { return nil }
        return lease
    }

    var isUnknown: Bool {
        guard case .unknown = self else { return false }
        return true
    }

    /// The answer for a message.
    var shown: String {
        switch self {
        case .granted: "granted"
        case .held: "held by another node"
        case .unknown: "unknown"
        }
    }
}

extension WorkOutcome? {
    /// The news for a message.
    var shown: String { map(\.rawValue) ?? "nothing" }
}
