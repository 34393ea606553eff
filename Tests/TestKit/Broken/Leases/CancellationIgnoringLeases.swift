import DarkroomCore
import DarkroomTestKit

/// Waits until the limit although the task is cancelled.
struct CancellationIgnoringLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any HeldLease, of work: WorkName) -> any HeldLease {
        ClosureHeldLease { limit in await Task { await lease.outcome(within: limit) }.value }
    }
}
