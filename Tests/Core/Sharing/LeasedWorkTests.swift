@testable import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

/// A lease that records what is done with it.
private final class RecordingLease: WorkLease {
    let renewals = Recorder<Int>()
    let outcomes = Recorder<WorkOutcome>()
    /// The number of renewals that find it still held.
    let life: Int
    let mayBeDone: Bool

    private let onEnd: @Sendable () async -> Void

    init(life: Int = .max, mayBeDone: Bool = true, onEnd: @escaping @Sendable () async -> Void = {}) {
        (self.life, self.mayBeDone, self.onEnd) = (life, mayBeDone, onEnd)
    }

    var renewalInterval: Duration { .seconds(1) }

    func renew() async -> Bool {
        renewals.note(1)
        return renewals.values.count < life
    }

    func end(_ outcome: WorkOutcome) async {
        await onEnd()
        outcomes.note(outcome)
    }
}

/// Leases that give prepared answers, and then the last one again and again.
private struct PreparedLeases: WorkLeases {
    let answers: [LeaseAnswer]
    var onRequest: @Sendable (TierBudget) -> Void = { _ in }
    let requests = Recorder<WorkName>()

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        requests.note(work)
        onRequest(budget)
        return answers[min(requests.values.count, answers.count) - 1]
    }
}

/// A lease of another node with prepared news, of which the last is repeated.
private struct PreparedHold: HeldLease {
    let news: [WorkOutcome?]
    private let waits = Recorder<Duration>()

    init(_ news: WorkOutcome?...) { self.news = news }
    init(_ news: [WorkOutcome?]) { self.news = news }

    func outcome(within limit: Duration) async -> WorkOutcome? {
        waits.note(limit)
        return news[min(waits.values.count, news.count) - 1]
    }
}

/// A lease of another node that never ends, although time passes.
private struct EndlessHold: HeldLease {
    let clock: ManualClock
    let news: WorkOutcome?

    func outcome(within limit: Duration) async -> WorkOutcome? {
        clock.advance(by: limit)
        return news
    }
}

@Suite(.bounded)
struct LeasedWorkTests {
    private let clock = ManualClock()
    private static let name = WorkName(.original, of: CacheKey(source: "a"))

    private func work(_ answers: LeaseAnswer..., waits: Bool = true) -> LeasedWork<String> {
        LeasedWork(
            leases: PreparedLeases(answers: answers), name: Self.name, budget: TierBudget(.seconds(1), clock: clock),
            clock: clock, waits: waits)
    }

    private func text(_ outcome: LeasedWork<String>.Outcome) -> String {
        switch outcome {
        case .made(let value): "made \(value)"
        case .found(let value): "found \(value)"
        case .skipped: "skipped"
        }
    }

    @Test func holderLooksOnceMoreBeforeItWorks() async throws {
        let lease = RecordingLease()
        let outcome = try await work(.granted(lease)).outcome {
            "it"
        } make: {
            .init(value: "it", store: nil)
        }
        #expect(text(outcome) == "found it")
        await lease.outcomes.waitForValues(1)
        #expect(lease.outcomes.values == [.shared])
    }

    @Test func requestDoesNotWaitForTheEndOfItsLease() async throws {
        let gate = Gate()
        let lease = RecordingLease { await gate.wait() }
        let outcome = try await work(.granted(lease)).outcome {
            "it"
        } make: {
            .init(value: "it", store: nil)
        }
        #expect(text(outcome) == "found it")
        #expect(lease.outcomes.values.isEmpty)
        gate.open()
        await lease.outcomes.waitForValues(1)
    }

    @Test func firstHolderDoesNotLookAgain() async throws {
        let lookUps = Recorder<Int>()
        let outcome = try await work(.granted(RecordingLease(mayBeDone: false))).outcome {
            lookUps.note(1)
            return nil
        } make: {
            .init(value: "it", store: nil)
        }
        #expect(text(outcome) == "made it")
        #expect(lookUps.values.isEmpty)
    }

    @Test func holderThatHasWaitedLooksAgain() async throws {
        let outcome = try await work(
            .held(PreparedHold(nil)), .granted(RecordingLease(mayBeDone: false))
        ).outcome {
            "it"
        } make: {
            .init(value: "other", store: nil)
        }
        #expect(text(outcome) == "found it")
    }

    @Test func requestWithoutAnAnswerDoesNotAskAgain() async throws {
        let leases = PreparedLeases(answers: [.unknown])
        let budget = TierBudget(.seconds(1), clock: clock)
        for _ in 0..<2 {
            let work = LeasedWork<String>(leases: leases, name: Self.name, budget: budget, clock: clock)
            let outcome = try await work.outcome {
                nil
            } make: {
                .init(value: "it", store: nil)
            }
            #expect(text(outcome) == "made it")
        }
        #expect(leases.requests.values.count == 1)
        // The cache may work although the engine of leases does not.
        #expect(budget.remaining == .seconds(1))
    }

    @Test(arguments: [true, false])
    func holderTellsWhetherTheResultIsShared(_ isStored: Bool) async throws {
        let (lease, store) = (RecordingLease(), SharedStore())
        let outcome = try await work(.granted(lease)).outcome {
            nil
        } make: {
            .init(value: "it", store: store)
        }
        // The caller has it before it is stored.
        #expect(text(outcome) == "made it")
        #expect(lease.outcomes.values.isEmpty)
        store.end(isStored: isStored)
        await lease.outcomes.waitForValues(1)
        #expect(lease.outcomes.values == [isStored ? .shared : .unshared])
    }

    @Test func othersDoNotWaitForAStoreThatHangs() async throws {
        let (lease, store) = (RecordingLease(), SharedStore())
        let outcome = try await work(.granted(lease)).outcome {
            nil
        } make: {
            .init(value: "it", store: store)
        }
        #expect(text(outcome) == "made it")
        // The next renewal, and the wait for the store.
        await clock.waitForSleeps(2)
        clock.advance(by: SharedCaching.defaultStorePatience)
        await lease.outcomes.waitForValues(1)
        #expect(lease.outcomes.values == [.unshared])
        store.end(isStored: true)
    }

    @Test func othersWaitForASlowStoreWhileOthersEnd() async throws {
        let (lease, counts) = (RecordingLease(), Recorder<Void>())
        let store = SharedStore {
            counts.note(())
            return counts.values.count
        }
        var work = work(.granted(lease))
        work.storePatience = .milliseconds(400)
        _ = try await work.outcome {
            nil
        } make: {
            .init(value: "it", store: store)
        }
        for round in 0..<3 {
            // The next renewal, and this wait.
            await clock.waitForSleeps(2 + round)
            clock.advance(by: work.storePatience)
        }
        // The fourth wait, after a renewal.
        await clock.waitForSleeps(6)
        #expect(lease.outcomes.values.isEmpty)
        store.end(isStored: true)
        await lease.outcomes.waitForValues(1)
        #expect(lease.outcomes.values == [.shared])
    }

    @Test func holderTellsOfAFailure() async throws {
        let lease = RecordingLease()
        await #expect(throws: ImageError.self) {
            try await work(.granted(lease)).outcome {
                nil
            } make: {
                throw ImageError(.network, .load, "it is away")
            }
        }
        await lease.outcomes.waitForValues(1)
        #expect(lease.outcomes.values == [.failed])
    }

    @Test func holderTellsOfACancellation() async throws {
        let lease = RecordingLease()
        await #expect(throws: CancellationError.self) {
            try await work(.granted(lease)).outcome {
                nil
            } make: {
                throw CancellationError()
            }
        }
        await lease.outcomes.waitForValues(1)
        #expect(lease.outcomes.values == [.cancelled])
    }

    @Test func leaseIsRenewedUntilTheWorkEnds() async throws {
        let (lease, gate) = (RecordingLease(), Gate())
        async let outcome = work(.granted(lease)).outcome {
            nil
        } make: {
            await gate.wait()
            return .init(value: "it", store: nil)
        }
        for count in 1...5 {
            await clock.waitForSleeps(count)
            clock.advance(by: .seconds(1))
            await lease.renewals.waitForValues(count)
        }
        gate.open()
        #expect(text(try await outcome) == "made it")
        await lease.outcomes.waitForValues(1)
        clock.advance(by: .seconds(10))
        #expect(lease.renewals.values.count == 5)
    }

    @Test func leaseOfAnotherNodeIsNotRenewed() async throws {
        let (lease, gate) = (RecordingLease(life: 1), Gate())
        async let outcome = work(.granted(lease)).outcome {
            nil
        } make: {
            await gate.wait()
            return .init(value: "it", store: nil)
        }
        await clock.waitForSleeps()
        clock.advance(by: .seconds(1))
        await lease.renewals.waitForValues(1)
        gate.open()
        #expect(text(try await outcome) == "made it")
        #expect(clock.deadlines.count == 1)
    }

    @Test func workIsDoneWithoutAnAnswer() async throws {
        let outcome = try await work(.unknown).outcome {
            nil
        } make: {
            .init(value: "it", store: nil)
        }
        #expect(text(outcome) == "made it")
    }

    @Test func waitEndsWithWhatTheHolderHasShared() async throws {
        let outcome = try await work(.held(PreparedHold(nil, .shared))).outcome {
            "it"
        } make: {
            .init(value: "another", store: nil)
        }
        #expect(text(outcome) == "found it")
    }

    @Test func waitingNodeTakesOverFromADeadHolder() async throws {
        let lease = RecordingLease()
        let outcome = try await work(.held(PreparedHold(nil)), .granted(lease)).outcome {
            nil
        } make: {
            .init(value: "it", store: nil)
        }
        #expect(text(outcome) == "made it")
        await lease.outcomes.waitForValues(1)
    }

    @Test(arguments: [WorkOutcome.unshared, .failed])
    func waitingNodeWorksAtOnceIfNothingWillBeShared(_ news: WorkOutcome) async throws {
        let work = work(.held(PreparedHold(news)))
        let outcome = try await work.outcome {
            nil
        } make: {
            .init(value: "it", store: nil)
        }
        #expect(text(outcome) == "made it")
        // Otherwise it would wait again, for the parts that it needs.
        #expect(!work.budget.permitsLeases)
    }

    @Test func nodeThatHasSpentItsBudgetFindsWhatIsShared() async throws {
        let work = work(.held(PreparedHold(nil, .shared)))
        let budget = work.budget
        budget.spend(.milliseconds(999))
        let outcome = try await work.outcome {
            #expect(budget.remaining == .seconds(1))
            return "it"
        } make: {
            .init(value: "other", store: nil)
        }
        #expect(text(outcome) == "found it")
    }

    @Test func longWaitSpendsNoBudget() async throws {
        let news = [WorkOutcome?](repeating: nil, count: 100) + [.shared]
        let leases = PreparedLeases(answers: [.held(PreparedHold(news))]) { $0.spend(.milliseconds(100)) }
        let budget = TierBudget(.seconds(1), clock: clock)
        let work = LeasedWork<String>(leases: leases, name: Self.name, budget: budget, clock: clock)
        let outcome = try await work.outcome {
            "it"
        } make: {
            .init(value: "other", store: nil)
        }
        #expect(text(outcome) == "found it")
        #expect(leases.requests.values.count == 101)
    }

    /// A broken engine says that the lease is held whenever it is asked.
    @Test(arguments: [nil, WorkOutcome.cancelled])
    func nodeThatWaitsForALeaseWithoutEndWorksInTheEnd(_ news: WorkOutcome?) async throws {
        let work = work(.held(EndlessHold(clock: clock, news: news)))
        let outcome = try await work.outcome {
            nil
        } make: {
            .init(value: "it", store: nil)
        }
        #expect(text(outcome) == "made it")
        #expect(!work.budget.permitsLeases)
        // Holders that work slowly are waited for.
        #expect(clock.now.offset > LeaseKeeper.longestLease)
        #expect(clock.now.offset < LeaseKeeper.longestLease * 2)
    }

    @Test func nodeThatCannotUseWhatIsSharedWorksInTheEnd() async throws {
        let outcome = try await work(.held(PreparedHold(.shared))).outcome {
            nil
        } make: {
            .init(value: "it", store: nil)
        }
        #expect(text(outcome) == "made it")
    }

    @Test func workInTheBackgroundIsNotRepeated() async throws {
        let work = work(.held(PreparedHold(.shared)), waits: false)
        let outcome = try await work.outcome {
            "it"
        } make: {
            .init(value: "it", store: nil)
        }
        #expect(text(outcome) == "skipped")
    }

    @Test func cancelledTaskStopsWaiting() async throws {
        let work = work(.held(PreparedHold(nil)))
        let task = Task {
            try await work.outcome {
                nil
            } make: {
                .init(value: "it", store: nil)
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
}
