import DarkroomFiles
import Synchronization

@testable import DarkroomCaches

extension FileOperation {
    /// The operations that need disk space.
    static let needingSpace: Set = [create, write, move, makeFolder, setTimes, reserve]

    /// The operations that change something.
    static let modifying = needingSpace.union([.remove, .setLength])
}

/// Makes some operations fail for a while.
final class FailureInjector: Sendable {
    private struct State {
        var code: Int32?
        var calls: Set<FileOperation> = []
    }

    private let state = Mutex(State())

    var faults: FileFaults {
        FileFaults { [self] call, byteCount throws(SystemError) in
            guard let code = state.withLock({ $0.calls.contains(call) ? $0.code : nil }) else { return byteCount }
            throw SystemError(code: code)
        }
    }

    /// Makes `calls`, by default all modifying ones, fail from now on.
    func start(_ code: Int32, in calls: Set<FileOperation> = FileOperation.modifying) {
        state.withLock { $0 = State(code: code, calls: calls) }
    }

    func end() { state.withLock { $0 = State() } }
}

/// The clock of failure reports.
final class ManualTime: Sendable {
    private let state = Mutex(ContinuousClock.now)
    var value: ContinuousClock.Instant { state.withLock { $0 } }
    func advance(by duration: Duration) { state.withLock { $0 += duration } }
}
