import Synchronization

/// A clock whose time passes only when a test says so, for whatever takes a clock: retries, deadlines, players.
///
/// A sleeper wakes when its time has come, or throws when its task is cancelled.
public final class ManualClock: Clock {
    /// A time, counted from the making of the clock.
    public struct Instant: InstantProtocol {
        /// How much time has passed since the clock was made.
        public var offset: Duration

        /// The time that is so much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// How long after this `other` is.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether `left` is earlier.
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

    /// A clock at 0.
    public init() {}

    /// The time it shows.
    public var now: Instant { state.withLock { $0.now } }

    /// It can tell any two times apart.
    public var minimumResolution: Duration { .zero }

    /// When each sleep so far was to end, in the order they began.
    public var deadlines: [Instant] { state.withLock { $0.deadlines } }

    /// Lets so much time pass, and wakes those whose time has come.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Returns when `count` sleeps have begun, now or before, so that a test knows that time may pass.
    public func sleeps(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.deadlines.count < count { state.watchers.append((count, continuation)) }
                return state.deadlines.count >= count
            }
            if isReached { continuation.resume() }
        }
    }

    /// Returns when the time has come; throws when the task is cancelled before.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = begin(deadline)
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

    /// Notes a sleep, and answers its number. Who waits for it may let time pass before it has begun: that is seen then.
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
