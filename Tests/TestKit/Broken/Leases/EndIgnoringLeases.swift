import DarkroomCore
import DarkroomTestKit

/// Keeps a lease that has ended until it expires.
struct EndIgnoringLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any WorkLease, of work: WorkName) -> any WorkLease {
        var lease = ClosureLease(lease)
        lease.onEnd = { _ in }
        return lease
    }
}
