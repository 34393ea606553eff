import Dispatch
import ServerPlatform
import Synchronization

/// Writes the lines of the log on a thread of its own: requests go on if nothing reads them, such as a pipe to a program that
/// hangs. A line is lost if too many are waiting.
final class LogOutput: Sendable {
    private struct State {
        var lines = Data()
        var lostCount = 0
        var isWriting = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "log")
    private let byteLimit: Int
    private let write: @Sendable (Data) -> Void

    /// Creates an output that passes lines to `write`, which may block. At most `byteLimit` bytes wait for it.
    init(byteLimit: Int = 1 << 20, write: @escaping @Sendable (Data) -> Void) {
        self.byteLimit = byteLimit
        self.write = write
    }

    /// Appends `line`, and returns the number of lines lost since the last one that was not.
    func append(_ line: Data) -> Int {
        let (lostCount, starts) = state.withLock { state in
            guard state.lines.count + line.count <= byteLimit else {
                state.lostCount += 1
                return (0, false)
            }
            state.lines += line
            defer { (state.lostCount, state.isWriting) = (0, true) }
            return (state.lostCount, !state.isWriting)
        }
        if starts { queue.async { self.writeAll() } }
        return lostCount
    }

    /// Waits until all lines are written, for at most `limit`.
    func flush(within limit: DispatchTimeInterval = .seconds(1)) {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + limit)
    }

    private func writeAll() {
        while let lines = next() { write(lines) }
    }

    private func next() -> Data? {
        state.withLock { state in
            state.isWriting = !state.lines.isEmpty
            defer { state.lines = Data() }
            return state.isWriting ? state.lines : nil
        }
    }
}
