import Synchronization

/// Limits the rate of progress events.
final class ProgressFilter: Sendable {
    private let interval: Double
    private let told = Mutex(0.0)

    /// Creates a filter that lets an event pass once `interval` of the whole, from 0 to 1, has arrived since the last
    /// one.
    init(interval: Double) { self.interval = min(max(interval, 0), 1) }

    /// Returns whether the event passes. It always does if nothing has arrived yet, at the end, and if the total is
    /// unknown.
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
