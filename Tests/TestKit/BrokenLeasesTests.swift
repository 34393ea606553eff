import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

/// The contract catches each broken implementation of leases, and accepts one without a defect.
@Suite(.bounded)
struct BrokenLeasesTests {
    private typealias MakeLeases = @Sendable (FakeLeases) -> any WorkLeases
    static let life = Duration.seconds(1)

    /// The implementations, each with the sentence by which it is usually caught. On a busy machine, a defect may show
    /// itself by another of its consequences first.
    private static let broken: [(sentence: String, make: MakeLeases)] = [
        ("16 of 16 requests at once for a lease that nobody holds are granted", { AlwaysGrantingLeases(base: $0) }),
        ("0 of 16 requests at once for a lease that has ended are granted", { EndIgnoringLeases(base: $0) }),
        ("15 of 15 other requests at once find no holder", { RefusingLeases(base: $0) }),
        ("a request for a lease without time is granted", { TimelessLeases(base: $0) }),
        ("a lease ends as cancelled, but a node that waits hears failed", { OutcomeReplacingLeases(base: $0) }),
        ("the end of a lease is heard after", { SlowlyPollingLeases(base: $0) }),
        ("hears nothing instead of shared that came before the wait", { LateListeningLeases(base: $0) }),
        ("hears nothing instead of shared that came after other waits", { OnceListeningLeases(base: $0) }),
        ("a wait continues although its task is cancelled", { CancellationIgnoringLeases(base: $0) }),
        ("does not expire within", { _ in FakeLeases(life: .seconds(3600)) }),
        ("before its renewal is due", { HastyLeases(base: $0) }),
        ("is to be renewed every", { TardyLeases(base: $0) }),
        ("a lease that is renewed is granted", { UnrenewableLeases(base: $0) }),
        ("a lease can be renewed after another node has taken over", { LossHidingLeases(base: $0) }),
        ("hears shared from a holder whose lease has expired", { TokenlessLeases(base: $0) }),
        ("beside leases of other work", { DescriptionComparingLeases(base: $0) }),
        ("beside leases of other work", { KindIgnoringLeases(base: $0) }),
        ("does not learn that the result", { ForgetfulLeases(base: $0) }),
    ]

    private static let failing: [(sentence: String, make: MakeLeases)] = [
        ("a request with a budget of", { BudgetIgnoringLeases(base: $0) }),
        ("without an engine, a lease is held by another node", { OptimisticLeases(base: $0) }),
        ("counts as the loss of the lease", { PessimisticLeases(base: $0) }),
    ]

    /// Returns the contract of `make`, whose nodes share one engine, and that engine.
    private static func contract(_ make: MakeLeases) -> (WorkLeasesContract, FakeLeases) {
        let base = FakeLeases(life: life)
        let leases = make(base)
        return (WorkLeasesContract(life: life, promptness: .milliseconds(50)) { leases }, base)
    }

    @Test(arguments: broken.indices) func isCaught(_ index: Int) async throws {
        let (sentence, make) = Self.broken[index]
        await #expect(throws: ContractViolation.self, "\(sentence)") {
            try await Self.contract(make).0.checkAll()
        }
    }

    @Test(arguments: failing.indices) func isCaughtInAnOutage(_ index: Int) async throws {
        let (sentence, make) = Self.failing[index]
        let (contract, base) = Self.contract(make)
        await #expect(throws: ContractViolation.self, "\(sentence)") {
            try await contract.checkOutage(budget: .milliseconds(100)) { base.isReachable = false }
        }
    }

    @Test func fakePasses() async throws {
        let (contract, base) = Self.contract { $0 }
        try await contract.checkAll()
        try await contract.checkOutage { base.isReachable = false }
    }
}
