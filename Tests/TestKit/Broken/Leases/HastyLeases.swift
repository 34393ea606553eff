import DarkroomCore
import DarkroomTestKit

/// Demands renewals less often than its leases need.
struct HastyLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any WorkLease, of work: WorkName) -> any WorkLease {
        var lease = ClosureLease(lease)
        lease.renewalInterval = base.life * 3
        return lease
    }
}
