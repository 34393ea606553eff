import DarkroomCore

extension WorkLeasesContract {
    /// Checks that a lease that is not renewed expires within about its life, and that one of those that wait gets it.
    public func checkExpiry() async throws {
        let nodes = try await nodes(3)
        let (subject, work) = (Subject(nodes[0]), WorkName.sample())
        let start = ContinuousClock.now
        let lease = try await grant(work, to: nodes[0])
        let successor = try await withThrowingTaskGroup(of: (any WorkLease).self) { group in
            for node in [nodes[1], nodes[2], nodes[1]] { group.addTask { try await takeOver(work, by: node) } }
            defer { group.cancelAll() }
            return try await group.next()
        }
        let age = ContinuousClock.now - start
        try subject.require(
            age >= lease.renewalInterval, "a lease expires after \(age), before its renewal is due")
        _ = try await held(work, by: nodes[2], naming: "after a node has taken over, the lease")
        await successor?.end(.cancelled)
    }

    /// Checks that a lease that is renewed as often as it demands does not expire.
    public func checkRenewal() async throws {
        let nodes = try await nodes(2)
        let subject = Subject(nodes[0])
        try await timely(life * 5 / 2) {
            let (work, start) = (WorkName.sample(), ContinuousClock.now)
            let lease = try await grant(work, to: nodes[0])
            let interval = lease.renewalInterval
            try subject.require(
                interval > .zero && interval <= life / 2,
                "a lease that lives for \(life) is to be renewed every \(interval)")
            var lastRenewal = start
            let end = ContinuousClock.now + life * 2
            while ContinuousClock.now < end {
                let start = ContinuousClock.now
                do {
                    try await wait(for: lease, of: work, by: nodes[1])
                } catch {
                    throw ContinuousClock.now - lastRenewal > life * 3 / 4 ? SlowMachine() : error
                }
                lastRenewal = start + interval
            }
            await lease.end(.shared)
        }
    }

    /// Checks that a holder whose lease has expired can neither renew nor end the lease of its successor.
    public func checkSuccession() async throws {
        let nodes = try await nodes(3)
        let subject = Subject(nodes[0])
        try await timely(life * 2) {
            let work = WorkName.sample()
            let expired = try await grant(work, to: nodes[0])
            let lease = try await takeOver(work, by: nodes[1])
            let waiter = try await held(work, by: nodes[2])
            try subject.require(await !expired.renew(), "a lease can be renewed after another node has taken over")
            await expired.end(.shared)
            let news = await waiter.outcome(within: life / 8)
            try subject.require(
                news == nil,
                "a node hears \(news.shown) from a holder whose lease has expired, instead of its successor")
            _ = try await held(work, by: nodes[2], naming: "after the end of an expired lease, that of its successor")
            try subject.require(await lease.renew(), "the end of an expired lease takes away that of its successor")
            await lease.end(.failed)
            try await requireNews(
                .failed, from: waiter, of: nodes[2], situation: "from the successor of an expired lease")
        }
    }

    /// Waits for the end of `lease` until it is to be renewed, and renews it.
    private func wait(for lease: any WorkLease, of work: WorkName, by node: any WorkLeases) async throws {
        let subject = Subject(node)
        let held = try await held(work, by: node, naming: "a lease that is renewed")
        let news = await held.outcome(within: lease.renewalInterval)
        try subject.require(news == nil, "a node hears \(news.shown) of a lease that is renewed")
        try subject.require(
            await lease.renew(), "a lease is lost although it is renewed every \(lease.renewalInterval)")
    }

    /// Asks and waits until the lease of `work` is granted, which no holder has ended.
    private func takeOver(_ work: WorkName, by node: any WorkLeases) async throws -> any WorkLease {
        let subject = Subject(node)
        let end = ContinuousClock.now + life * 4
        while ContinuousClock.now < end {
            try Task.checkCancellation()
            switch await node.lease(for: work, budget: .ample) {
            case .granted(let lease): return lease
            case .held(let lease):
                let news = await lease.outcome(within: life / 8)
                try subject.require(
                    news == nil, "a node hears \(news.shown) of a lease that is neither renewed nor ended")
            case .unknown:
                try Task.checkCancellation()
                throw subject.violation("a request for a lease has no answer")
            }
        }
        throw subject.violation("a lease that is not renewed does not expire within \(life * 4)")
    }
}
