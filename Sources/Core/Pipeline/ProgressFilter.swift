import Synchronization

/// Limits the rate of progress events.
final class ProgressFilter: Sendable {
    private let interval: Double
    private let lastFraction = Mutex(0.0)

    /// Creates a filter that lets an event pass once `interval` of the whole, from 0 to 1, has arrived since the last
    /// one.
    init(interval: Double) { self.interval = min(max(interval, 0), 1) }

    /// Returns whether the event passes. It always does if nothing has arrived yet, at the end, and if the total is
    /// unknown.
    func passes(_ receivedByteCount: Int, of expectedByteCount: Int?) -> Bool {
        guard interval > 0, let expectedByteCount, expectedByteCount > 0, receivedByteCount > 0 else { return true }
        let fraction = Double(receivedByteCount) / Double(expectedByteCount)
        return lastFraction.withLock { last in
            guard receivedByteCount >= expectedByteCount || fraction - last >= interval else { return false }
            last = fraction
            return true
        }
    }
}
