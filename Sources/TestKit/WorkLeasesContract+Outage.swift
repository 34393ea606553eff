import DarkroomCore

extension WorkLeasesContract {
    /// Checks that an engine that is out of reach stops nobody: requests are answered with `LeaseAnswer.unknown` within
    /// their budget, waits end, and a holder continues.
    ///
    /// - Parameters:
    ///   - budget: The time that each request may take.
    ///   - disconnect: Makes the engine of a node that this check has created unreachable, or silent.
    public func checkOutage(
        budget: Duration = .milliseconds(500), _ disconnect: @Sendable () async throws -> Void
    ) async throws {
        let node = try await makeNode()
        let subject = Subject(node)
        var (work, parts): (WorkName, (any WorkLease, any HeldLease)?) = (.sample(), nil)
        try await timely(life / 2) {
            work = .sample()
            parts = (try await grant(work, to: node), try await held(work, by: node))
        }
        guard let (lease, held) = parts else { return }
        try await disconnect()
        try await requireUnknown(work, from: node, budget: budget)
        try await requireUnknown(.sample(), from: node, budget: budget)
        let isHeld = try await subject.ending("a renewal without an engine", within: life + .seconds(30)) {
            await lease.renew()
        }
        try subject.require(isHeld, "a renewal that does not reach the engine counts as the loss of the lease")
        try await subject.ending("the end of a lease without an engine", within: life + .seconds(30)) {
            await lease.end(.failed)
        }
        try await subject.ending("a wait of 10 ms without an engine", within: .seconds(30)) {
            _ = await held.outcome(within: .milliseconds(10))
        }
    }

    /// Requires that a request for the lease of `work` has no answer, in one of ten attempts within `budget`.
    private func requireUnknown(_ work: WorkName, from node: any WorkLeases, budget: Duration) async throws {
        let subject = Subject(node)
        var shortest = Duration.seconds(3600)
        for _ in 0..<10 where shortest > budget + .milliseconds(50) {
            let start = ContinuousClock.now
            let answer = try await subject.ending("a request without an engine", within: budget + .seconds(30)) {
                await node.lease(for: work, budget: TierBudget(budget))
            }
            shortest = min(shortest, ContinuousClock.now - start)
            try subject.require(answer.isUnknown, "without an engine, a lease is \(answer.shown)")
        }
        try subject.require(
            shortest <= budget + .milliseconds(50),
            "without an engine, a request with a budget of \(budget) takes \(shortest)")
    }
}
