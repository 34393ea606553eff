public import DarkroomCore

/// The rules that all leases of work must follow. Each check throws a ``ContractViolation`` that describes the broken
/// rule.
///
/// The checks use real time. They judge nothing that may be the fault of a slow machine: what takes too long is tried
/// again.
public struct WorkLeasesContract: Sendable {
    /// Returns the leases of one more node of the fleet. All nodes use the same engine.
    public typealias MakeNode = @Sendable () async throws -> any WorkLeases

    let life: Duration
    let promptness: Duration
    let makeNode: MakeNode

    /// Creates the contract of the nodes that `makeNode` returns.
    ///
    /// - Parameters:
    ///   - life: The time after which a lease that is not renewed expires. The checks take about ten times as long.
    ///   - promptness: The time within which a node that waits typically hears that a lease has ended. An engine that
    ///     notifies its clients needs a few milliseconds; one that must be polled, half of the interval and more.
    ///   - makeNode: Makes the leases of another node of the same fleet.
    public init(life: Duration, promptness: Duration = .milliseconds(100), makeNode: @escaping MakeNode) {
        (self.life, self.promptness, self.makeNode) = (life, promptness, makeNode)
    }

    /// Runs all checks that need a working engine.
    public func checkAll() async throws {
        try await checkGranting()
        try await checkBudget()
        try await checkOutcomes()
        try await checkEarlyEnds()
        try await checkRepeatedWaits()
        try await checkCancellation()
        try await checkExpiry()
        try await checkRenewal()
        try await checkSuccession()
        try await checkNames()
        try await checkMemory()
    }

    /// Checks that one of many nodes that ask at once is granted the lease, and another one after it has ended.
    public func checkGranting() async throws {
        let nodes = try await nodes(4)
        let subject = Subject(nodes[0])
        try await timely(life / 2) {
            let work = WorkName.sample()
            for round in 0..<4 {
                let answers = await Self.answers(of: nodes, requestCount: 16, for: work)
                let (granted, heldCount) = (answers.compactMap(\.granted), answers.count { $0.held != nil })
                let situation = round == 0 ? "that nobody holds" : "that has ended"
                try subject.require(
                    granted.count == 1, "\(granted.count) of 16 requests at once for a lease \(situation) are granted")
                try subject.require(heldCount == 15, "\(15 - heldCount) of 15 other requests at once find no holder")
                await granted[0].end(.failed)
            }
        }
    }

    /// Checks that a request without time gets no answer, and leaves no lease.
    public func checkBudget() async throws {
        let nodes = try await nodes(2)
        let (subject, work) = (Subject(nodes[0]), WorkName.sample())
        let answer = await nodes[0].lease(for: work, budget: TierBudget(.zero))
        try subject.require(answer.isUnknown, "a request for a lease without time is \(answer.shown)")
        try await grant(work, to: nodes[1], naming: "after a request without time, a lease").end(.shared)
    }

    /// Checks that each outcome reaches all nodes that asked before the end, and promptly.
    public func checkOutcomes() async throws {
        let nodes = try await nodes(3)
        let subject = Subject(nodes[0])
        for outcome in WorkOutcome.allCases {
            try await timely(life * 3 / 5) {
                var shortest = Duration.seconds(3600)
                for _ in 0..<3 {
                    shortest = min(shortest, try await typicalDelay(of: outcome, between: nodes))
                    if shortest <= promptness { return }
                }
                throw subject.violation("the end of a lease is heard after \(shortest) instead of \(promptness)")
            }
        }
    }

    /// Checks that a node that is granted a lease after another one has shared its result learns that it may be done.
    public func checkMemory() async throws {
        let nodes = try await nodes(2)
        for outcome in [[WorkOutcome.shared], [.shared, .failed]] {
            try await timely(life * 3 / 5) {
                let work = WorkName.sample()
                for outcome in outcome { await (try await grant(work, to: nodes[0])).end(outcome) }
                let lease = try await grant(work, to: nodes[1])
                await lease.end(.cancelled)
                try Subject(nodes[1]).require(
                    lease.mayBeDone, "a node does not learn that the result of the work has just been shared")
            }
        }
    }

    /// Checks that an end between the question and the wait is not missed.
    public func checkEarlyEnds() async throws {
        let nodes = try await nodes(2)
        for outcome in WorkOutcome.allCases {
            try await timely(life * 3 / 5) {
                let work = WorkName.sample()
                let lease = try await grant(work, to: nodes[0])
                let held = try await held(work, by: nodes[1])
                await lease.end(outcome)
                try await requireNews(outcome, from: held, of: nodes[1], situation: "that came before the wait")
            }
        }
    }

    /// Checks that a wait ends when its limit is over, and that the end of the lease is heard by the next one.
    public func checkRepeatedWaits() async throws {
        let nodes = try await nodes(2)
        let subject = Subject(nodes[0])
        try await timely(life * 3 / 5) {
            let work = WorkName.sample()
            let lease = try await grant(work, to: nodes[0])
            let held = try await held(work, by: nodes[1])
            for _ in 0..<3 {
                let news = try await subject.ending("a wait of 10 ms", within: .seconds(30)) {
                    await held.outcome(within: .milliseconds(10))
                }
                try subject.require(news == nil, "a node hears \(news.shown) of a lease that has not ended")
            }
            await lease.end(.shared)
            try await requireNews(.shared, from: held, of: nodes[1], situation: "that came after other waits")
        }
    }

    /// Checks that cancelling a task ends its wait, and disturbs no other.
    public func checkCancellation() async throws {
        let nodes = try await nodes(2)
        let subject = Subject(nodes[0])
        try await timely(life * 3 / 5) {
            let work = WorkName.sample()
            let lease = try await grant(work, to: nodes[0])
            let (first, second) = (try await held(work, by: nodes[1]), try await held(work, by: nodes[1]))
            let waiting = Gate()
            let wait = Task<Void, any Error> {
                waiting.arrive()
                _ = await first.outcome(within: .seconds(3600))
            }
            await waiting.waitForArrivals()
            wait.cancel()
            try subject.require(
                await wait.result(within: life / 2) != nil, "a wait continues although its task is cancelled")
            await lease.end(.unshared)
            try await requireNews(.unshared, from: second, of: nodes[1], situation: "after another wait was cancelled")
        }
    }

    /// Returns the median of the delays with which three waiters on two nodes hear `outcome`.
    private func typicalDelay(of outcome: WorkOutcome, between nodes: [any WorkLeases]) async throws -> Duration {
        let work = WorkName.sample()
        let lease = try await grant(work, to: nodes[0])
        var waiters: [any HeldLease] = []
        for node in [nodes[1], nodes[1], nodes[2]] { waiters.append(try await held(work, by: node)) }
        let (waiting, heard) = (Gate(), Recorder<(outcome: WorkOutcome?, instant: ContinuousClock.Instant)>())
        return try await withThrowingTaskGroup { group in
            for waiter in waiters {
                group.addTask {
                    waiting.arrive()
                    heard.note((await waiter.outcome(within: life / 2), .now))
                }
            }
            await waiting.waitForArrivals(waiters.count)
            let start = ContinuousClock.now
            await lease.end(outcome)
            try await group.waitForAll()
            for news in heard.values {
                try Subject(nodes[0]).require(
                    news.outcome == outcome,
                    "a lease ends as \(outcome), but a node that waits hears \(news.outcome.shown)")
            }
            return heard.values.map { start.duration(to: $0.instant) }.sorted()[waiters.count / 2]
        }
    }

    private static func answers(
        of nodes: [any WorkLeases], requestCount: Int, for work: WorkName
    ) async -> [LeaseAnswer] {
        await withTaskGroup { group in
            for number in 0..<requestCount {
                group.addTask { await nodes[number % nodes.count].lease(for: work, budget: .ample) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
