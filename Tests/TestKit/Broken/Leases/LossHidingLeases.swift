import DarkroomCore
import DarkroomTestKit

/// Claims that a lease is still held after another node has taken over.
struct LossHidingLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any WorkLease, of work: WorkName) -> any WorkLease {
        var wrapper = ClosureLease(lease)
        wrapper.onRenewal = {
            _ = await lease.renew()
            return true
        }
        return wrapper
    }
}
