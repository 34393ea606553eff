package import DarkroomCore
import Synchronization

/// Waits for the outcome of leased work. An outcome that arrives before anyone waits is not lost.
package final class OutcomeListener: Sendable {
    private enum News {
        case none
        case outcome(WorkOutcome)
        /// No outcome will arrive any more.
        case disconnected
    }

    private struct State {
        var news = News.none
        var waitCount = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        /// The waits that ended before they were suspended.
        var ended: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Creates a listener without an outcome.
    package init() {}

    /// Whether waiting is pointless, because the outcome is known or the listener is disconnected.
    package var isOver: Bool {
        state.withLock { if case .none = $0.news { false } else { true } }
    }

    /// Ends all waits with `outcome`. Later outcomes are ignored.
    package func hear(_ outcome: WorkOutcome) { end(with: .outcome(outcome)) }

    /// Ends all waits without an outcome: none will arrive.
    package func disconnect() { end(with: .disconnected) }

    /// Returns the outcome; `nil` if none arrives within `limit`, measured with `clock`, or before the listener is
    /// disconnected or the task is cancelled.
    package func outcome(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> WorkOutcome? {
        let wait = state.withLock { state in
            state.waitCount += 1
            return state.waitCount
        }
        let timer = Task { if (try? await clock.sleep(for: limit)) != nil { end(wait) } }
        await withTaskCancellationHandler {
            await suspend(wait)
        } onCancel: {
            end(wait)
        }
        timer.cancel()
        return state.withLock { state in
            state.ended.remove(wait)
            guard case .outcome(let outcome) = state.news else { return nil }
            return outcome
        }
    }

    private func suspend(_ wait: Int) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if case .none = state.news, !state.ended.contains(wait) {
                    state.waiters[wait] = continuation
                    return false
                }
                return true
            }
            if isOver { continuation.resume() }
        }
    }

    private func end(_ wait: Int) {
        let continuation = state.withLock { state in
            let continuation = state.waiters.removeValue(forKey: wait)
            if continuation == nil { state.ended.insert(wait) }
            return continuation
        }
        continuation?.resume()
    }

    private func end(with news: News) {
        let waiters = state.withLock { state -> [Int: CheckedContinuation<Void, Never>] in
            guard case .none = state.news else { return [:] }
            state.news = news
            defer { state.waiters = [:] }
            return state.waiters
        }
        for continuation in waiters.values { continuation.resume() }
    }
}
