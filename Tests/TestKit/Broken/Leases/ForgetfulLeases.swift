import DarkroomCore
import DarkroomTestKit

/// Claims of each lease that its work was never done before.
struct ForgetfulLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any WorkLease, of work: WorkName) -> any WorkLease {
        var lease = ClosureLease(lease)
        lease.mayBeDone = false
        return lease
    }
}
