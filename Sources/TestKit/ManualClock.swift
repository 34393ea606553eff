import Synchronization

/// A clock that a test advances manually, for everything that takes a clock: retries, deadlines, players.
///
/// A sleeping task resumes when its deadline is reached, or throws when it is cancelled. A clock that skips sleeps
/// advances itself, for tests that need only the order of events and the length of the pauses between them.
public final class ManualClock: Clock {
    /// An instant, relative to the creation of the clock.
    public struct Instant: InstantProtocol {
        /// The time since the creation of the clock.
        public var offset: Duration

        /// Returns the instant that is `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the duration from this instant to `other`.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Returns whether `left` is earlier than `right`.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var deadlines: [Instant] = []
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let skipsSleeps: Bool

    /// Creates a clock at 0.
    ///
    /// - Parameter skipsSleeps: Whether each sleep ends immediately, and advances the clock to its deadline.
    public init(skipsSleeps: Bool = false) { self.skipsSleeps = skipsSleeps }

    /// The current instant.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: all instants are distinguishable.
    public var minimumResolution: Duration { .zero }

    /// The deadlines of all sleeps so far, in the order in which they began.
    public var deadlines: [Instant] { state.withLock { $0.deadlines } }

    /// Advances the clock by `duration`, and resumes the tasks whose deadline has been reached.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Returns once a total of `count` sleeps have begun, including earlier ones, so that a test can safely advance the
    /// clock.
    public func waitForSleeps(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.deadlines.count < count { state.watchers.append((count, continuation)) }
                return state.deadlines.count >= count
            }
            if isReached { continuation.resume() }
        }
    }

    /// Suspends until `deadline`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = begin(deadline)
        if skipsSleeps { return try await skip(to: deadline) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    let isOver = Task.isCancelled || deadline <= state.now
                    if !isOver { state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation) }
                    return isOver
                }
                if isOver { continuation.resume(with: Result { try Task.checkCancellation() }) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the clock to `deadline`. Suspends the task as a sleep would, so that one that sleeps in a loop does not
    /// occupy a thread.
    private func skip(to deadline: Instant) async throws {
        await Task.yield()
        try Task.checkCancellation()
        state.withLock { $0.now = max($0.now, deadline) }
    }

    /// Records a sleep, and returns its number. A test may advance the clock before the task is suspended; `sleep`
    /// checks for that.
    private func begin(_ deadline: Instant) -> Int {
        let (id, ready) = state.withLock { state in
            state.deadlines.append(deadline)
            let ready = state.watchers.filter { $0.count <= state.deadlines.count }
            state.watchers.removeAll { $0.count <= state.deadlines.count }
            return (state.deadlines.count, ready)
        }
        for watcher in ready { watcher.continuation.resume() }
        return id
    }
}
