import Console
import Synchronization

/// How far all transfers are, on one line of a terminal.
final class ProgressBar: Sendable {
    private struct State {
        var fractions: [Int: Double] = [:]
        var byteCounts: [Int: Int] = [:]
        var finishedCount = 0
        var isShown = false
        var lastDrawing: ContinuousClock.Instant?

        /// Whether the last drawing is so recent that nobody would see another.
        var isFresh: Bool { lastDrawing.map { ContinuousClock.now - $0 < .milliseconds(40) } ?? false }
    }

    private static let width = 30

    private let sourceCount: Int?
    private let state = Mutex(State())

    /// A bar for `sourceCount` sources, or only numbers when that is not known; `nil` when there is no terminal to show it on.
    init?(sourceCount: Int?) {
        guard FileDescriptor.standardError.isTerminal else { return nil }
        self.sourceCount = sourceCount
    }

    /// Shows that nothing has come yet.
    func show() { state.withLock { draw(&$0) } }

    /// Takes the bar away.
    func hide() { state.withLock { hide(&$0) } }

    /// Shows that the source at `index` has sent so many bytes.
    func update(_ index: Int, received: Int, expected: Int?) {
        state.withLock { state in
            state.fractions[index] = expected.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 0 }
            state.byteCounts[index] = received
            if !state.isFresh { draw(&state) }
        }
    }

    /// Takes the bar away while `print` runs, which tells about the source at `index` that is done.
    func finish(_ index: Int, print: () -> Void) {
        state.withLock { state in
            state.fractions[index] = nil
            finish(&state, print)
        }
    }

    /// Takes the bar away while `print` runs, which tells about a source that is done.
    func finish(print: () -> Void) { state.withLock { finish(&$0, print) } }

    /// Counts a source that is done, and of which nothing is told.
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
        FileDescriptor.standardError.show("\r\(line(state))\u{1B}[K")
        state.isShown = true
        state.lastDrawing = .now
    }

    private func line(_ state: State) -> String {
        let bytes = state.byteCounts.isEmpty ? "" : "  " + state.byteCounts.values.reduce(0, +).asByteCount
        guard let sourceCount else { return "\(state.finishedCount) finished\(bytes)" }
        let done = Double(state.finishedCount) + state.fractions.values.reduce(0, +)
        let fraction = sourceCount == 0 ? 1 : min(1, done / Double(sourceCount))
        let filled = Int(fraction * Double(Self.width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        return "\(bar) \(Int(fraction * 100)) %  \(state.finishedCount)/\(sourceCount)\(bytes)"
    }
}
