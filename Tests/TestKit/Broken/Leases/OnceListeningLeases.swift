import DarkroomCore
import DarkroomTestKit

/// Hears nothing in the second wait for the same lease.
struct OnceListeningLeases: LeasesWrapper {
    let base: FakeLeases

    func wrap(_ lease: any HeldLease, of work: WorkName) -> any HeldLease {
        let waits = Recorder<Duration>()
        return ClosureHeldLease { limit in
            waits.note(limit)
            return waits.values.count > 1 ? nil : await lease.outcome(within: limit)
        }
    }
}
