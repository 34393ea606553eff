package import DarkroomFiles
package import DarkroomTestKit
import Dispatch
import Synchronization

/// A disk that completes no operation for a while.
package final class HangingDisk: Sendable {
    /// The operations that hang.
    package let arrivals = Gate()
    private let isHanging = Atomic(false)
    private let hold = DispatchSemaphore(value: 0)

    package init() {}

    package var faults: FileFaults {
        FileFaults { [self] _, byteCount throws(SystemError) in
            if isHanging.load(ordering: .acquiring) {
                arrivals.arrive()
                hold.wait()
                // For the next one.
                hold.signal()
            }
            return byteCount
        }
    }

    package func hang() { isHanging.store(true, ordering: .releasing) }

    /// Completes all operations. It cannot hang again.
    package func answer() {
        isHanging.store(false, ordering: .releasing)
        hold.signal()
    }
}
