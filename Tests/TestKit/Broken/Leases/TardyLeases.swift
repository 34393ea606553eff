import DarkroomCore
import DarkroomTestKit

/// Demands renewals when it is too late.
struct TardyLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any WorkLease, of work: WorkName) -> any WorkLease {
        var lease = ClosureLease(lease)
        lease.renewalInterval = base.life
        return lease
    }
}
