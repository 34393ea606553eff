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
    }

    private static let width = 30

    private let sourceCount: Int
    private let state = Mutex(State())

    /// A bar for `sourceCount` sources; `nil` when there is no terminal to show it on.
    init?(sourceCount: Int) {
        guard FileDescriptor.standardError.isTerminal else { return nil }
        self.sourceCount = sourceCount
    }

    /// Shows that the source at `index` has sent so many bytes.
    func update(_ index: Int, received: Int, expected: Int?) {
        state.withLock { state in
            state.fractions[index] = expected.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 0 }
            state.byteCounts[index] = received
            let now = ContinuousClock.now
            if let last = state.lastDrawing, now - last < .milliseconds(40) { return }
            state.lastDrawing = now
            draw(&state)
        }
    }

    /// Takes the bar away while `print` runs, which tells about one source that is done.
    func finish(_ index: Int, print: () -> Void) {
        state.withLock { state in
            state.fractions[index] = nil
            state.finishedCount += 1
            if state.isShown { FileDescriptor.standardError.show("\r\u{1B}[K") }
            state.isShown = false
            print()
            if state.lastDrawing != nil, state.finishedCount < sourceCount { draw(&state) }
        }
    }

    private func draw(_ state: inout State) {
        let fraction = (Double(state.finishedCount) + state.fractions.values.reduce(0, +)) / Double(sourceCount)
        let filled = min(Self.width, Int(fraction * Double(Self.width)))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        let bytes = state.byteCounts.values.reduce(0, +).asByteCount
        let line = "\(bar) \(Int(fraction * 100)) %  \(state.finishedCount)/\(sourceCount)  \(bytes)"
        FileDescriptor.standardError.show("\r\(line)\u{1B}[K")
        state.isShown = true
    }
}
