import DarkroomCore
import Synchronization

/// Leases behind a circuit breaker: their engine is not called while most calls fail.
struct BreakingLeases: WorkLeases {
    private final class Counters: Sendable {
        let counts = Mutex(SharedTierStatistics.Leases())
    }

    let breaker: Breaker
    /// Whether results reach the other nodes. If not, this node neither waits for others nor makes them wait.
    private let reachesOthers: @Sendable () -> Bool
    private let base: any WorkLeases
    private let stopwatch: Stopwatch
    private let counters = Counters()

    init(
        _ base: any WorkLeases, rule: Breaker.Rule, clock: some Clock<Duration> = ContinuousClock(),
        reachesOthers: @escaping @Sendable () -> Bool
    ) {
        self.base = base
        self.reachesOthers = reachesOthers
        stopwatch = Stopwatch(clock)
        breaker = Breaker(rule, clock: clock)
    }

    var counts: SharedTierStatistics.Leases { counters.counts.withLock { $0 } }

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        // A spent budget says nothing about the engine.
        guard budget.remaining > .zero, reachesOthers(), breaker.admits() else {
            return counted(.unknown)
        }
        let (start, left) = (stopwatch.elapsed(), budget.remaining)
        let answer = await base.lease(for: work, budget: budget)
        // Some leases spend the time themselves. Only the rest of it is spent here.
        budget.spend(max(.zero, stopwatch.elapsed() - start - (left - budget.remaining)))
        if case .unknown = answer {
            breaker.record(isFailure: Task.isCancelled ? nil : true)
        } else {
            breaker.record(isFailure: false)
        }
        return counted(answer)
    }

    private func counted(_ answer: LeaseAnswer) -> LeaseAnswer {
        counters.counts.withLock { counts in
            switch answer {
            case .granted: counts.granted += 1
            case .held: counts.held += 1
            case .unknown: counts.unknown += 1
            }
        }
        return answer
    }
}
