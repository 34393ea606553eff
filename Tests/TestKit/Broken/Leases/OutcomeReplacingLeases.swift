import DarkroomCore
import DarkroomTestKit

/// Reports work that was given up as a failure.
struct OutcomeReplacingLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any WorkLease, of work: WorkName) -> any WorkLease {
        var wrapper = ClosureLease(lease)
        wrapper.onEnd = { await lease.end($0 == .cancelled ? .failed : $0) }
        return wrapper
    }
}
