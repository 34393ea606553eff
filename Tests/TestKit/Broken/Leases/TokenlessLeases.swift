import DarkroomCore
import DarkroomTestKit
import Synchronization

/// Ends the lease of a successor.
final class TokenlessLeases: LeasesWrapper {
    let base: FakeLeases
    private let current = Mutex<[WorkName: any WorkLease]>([:])

    init(base: FakeLeases) { self.base = base }

    func wrap(_ lease: any WorkLease, of work: WorkName) -> any WorkLease {
        current.withLock { $0[work] = lease }
        var wrapper = ClosureLease(lease)
        wrapper.onEnd = { [self] outcome in await current.withLock { $0[work] }?.end(outcome) }
        return wrapper
    }
}
