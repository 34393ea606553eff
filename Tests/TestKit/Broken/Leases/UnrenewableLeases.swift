import DarkroomCore
import DarkroomTestKit

/// Does not extend a lease that is renewed.
struct UnrenewableLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any WorkLease, of work: WorkName) -> any WorkLease {
        var lease = ClosureLease(lease)
        lease.onRenewal = { true }
        return lease
    }
}
