package import DarkroomFiles
package import DarkroomTestKit
import Dispatch
import Synchronization

/// A disk that completes no operation for a while.
package final class HangingDisk: Sendable {
    /// The operations that hang.
    package let arrivals = Gate()
    private let hangingCount = Mutex(0)
    private let hold = DispatchSemaphore(value: 0)

    package init() {}

    package var faults: FileFaults {
        FileFaults { [self] _, byteCount throws(SystemError) in
            if hangs() {
                arrivals.arrive()
                hold.wait()
                // For the next one.
                hold.signal()
            }
            return byteCount
        }
    }

    /// Completes none of the next `count` operations; the default is all.
    package func hang(count: Int = .max) { hangingCount.withLock { $0 = count } }

    /// Completes all operations. It cannot hang again.
    package func answer() {
        hangingCount.withLock { $0 = 0 }
        hold.signal()
    }

    /// Returns whether the next operation hangs.
    private func hangs() -> Bool {
        hangingCount.withLock { count in
            guard count > 0 else { return false }
            count -= 1
            return true
        }
    }
}
