import Console
import Synchronization

/// The progress of all transfers on one line of a terminal.
final class ProgressBar: Sendable {
    private struct State {
        var fractions: [Int: Double] = [:]
        var byteCounts: [Int: Int] = [:]
        var finishedCount = 0
        var isShown = false
        var lastDrawing: ContinuousClock.Instant?

        /// Whether the last drawing is too recent for another one to be noticed.
        var isFresh: Bool { lastDrawing.map { ContinuousClock.now - $0 < .milliseconds(40) } ?? false }
    }

    private let sourceCount: Int?
    private let state = Mutex(State())

    /// Creates a bar for `sourceCount` sources, or only a count when their number is unknown; `nil` without a terminal
    /// to show it on.
    init?(sourceCount: Int?) {
        guard FileDescriptor.standardError.isTerminal else { return nil }
        self.sourceCount = sourceCount
    }

    /// Shows the empty bar.
    func show() { state.withLock { draw(&$0) } }

    /// Hides the bar.
    func hide() { state.withLock { hide(&$0) } }

    /// Shows that `received` bytes of the source at `index` have arrived.
    func update(_ index: Int, received: Int, expected: Int?) {
        state.withLock { state in
            state.fractions[index] = expected.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 0 }
            state.byteCounts[index] = received
            if !state.isFresh { draw(&state) }
        }
    }

    /// Hides the bar while `print` runs, which reports the completed source at `index`.
    func finish(_ index: Int, print: () -> Void) {
        state.withLock { state in
            state.fractions[index] = nil
            finish(&state, print)
        }
    }

    /// Hides the bar while `print` runs, which reports a completed source.
    func finish(print: () -> Void) { state.withLock { finish(&$0, print) } }

    /// Counts a completed source that is not reported.
    func finish() {
        state.withLock { state in
            state.finishedCount += 1
            if !state.isFresh { draw(&state) }
        }
    }

    private func finish(_ state: inout State, _ print: () -> Void) {
        state.finishedCount += 1
        hide(&state)
        print()
        if state.lastDrawing != nil, state.finishedCount < sourceCount ?? .max { draw(&state) }
    }

    private func hide(_ state: inout State) {
        if state.isShown { FileDescriptor.standardError.show("\r\u{1B}[K") }
        state.isShown = false
    }

    private func draw(_ state: inout State) {
        // The terminal may have been resized since the last drawing.
        let columns = (FileDescriptor.standardError.terminalSize ?? .standard).columns
        FileDescriptor.standardError.show("\r\(line(state).text(columns: columns))\u{1B}[K")
        state.isShown = true
        state.lastDrawing = .now
    }

    private func line(_ state: State) -> ProgressLine {
        let done = Double(state.finishedCount) + state.fractions.values.reduce(0, +)
        return ProgressLine(
            doneCount: done, finishedCount: state.finishedCount, sourceCount: sourceCount,
            byteCount: state.byteCounts.isEmpty ? nil : state.byteCounts.values.reduce(0, +))
    }
}
