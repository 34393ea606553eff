import Synchronization

/// Lets through only progress that is worth telling.
final class ProgressFilter: Sendable {
    private let interval: Double
    private let told = Mutex(0.0)

    /// A filter that wants `interval` of the whole between two events, from 0 to 1.
    init(interval: Double) { self.interval = min(max(interval, 0), 1) }

    /// Whether to tell it: always when nothing has come yet, at the end, and when the whole is unknown.
    func passes(_ receivedByteCount: Int, of expectedByteCount: Int?) -> Bool {
        guard interval > 0, let expectedByteCount, expectedByteCount > 0, receivedByteCount > 0 else { return true }
        let fraction = Double(receivedByteCount) / Double(expectedByteCount)
        return told.withLock { told in
            guard receivedByteCount >= expectedByteCount || fraction - told >= interval else { return false }
            told = fraction
            return true
        }
    }
}
