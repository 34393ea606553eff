import DarkroomCore
import DarkroomTestKit

/// Gives up a lease whose renewal does not reach the engine.
struct PessimisticLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any WorkLease, of work: WorkName) -> any WorkLease {
        var wrapper = ClosureLease(lease)
        wrapper.onRenewal = { [base] in
            guard base.isReachable else { return false }
            return await lease.renew()
        }
        return wrapper
    }
}
