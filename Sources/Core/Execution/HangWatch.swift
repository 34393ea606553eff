import Synchronization

/// Gives up the calls of an executor when one of them hangs, such as on a disk that does not answer: its thread cannot be
/// taken back.
///
/// All callers then receive a ``Hang``, and further calls are refused until those that were given up have ended: a store that
/// was given up cannot replace what the same caller stores later.
///
/// Ticks are counted instead of time: while a process is stopped, its calls do not run.
package final class HangWatch: Sendable {
    /// The error of calls that were given up or refused.
    package struct Hang: Error, CustomStringConvertible {
        /// The time for which a call has run at least.
        let limit: Duration

        package var description: String { "an operation has not ended for \(limit)" }
    }

    /// A sign that a call goes on, however long it takes.
    package final class Progress: Sendable {
        private let isNoted = Atomic(false)

        package init() {}

        /// Grants the call its whole time again.
        package func note() { isNoted.store(true, ordering: .relaxed) }

        fileprivate func take() -> Bool { isNoted.exchange(false, ordering: .relaxed) }
    }

    private struct Entry {
        let call: any WatchedCall
        let progress: Progress?
        /// The ticks without progress after which the call is given up.
        let tickLimit: Int
        /// The ticks until the call is given up, counted while it runs.
        var ticksLeft: Int
        var isRunning = false

        /// Counts a tick. Returns whether the call has run for too long.
        mutating func tick() -> Bool {
            ticksLeft = progress?.take() == true ? tickLimit : ticksLeft - 1
            return ticksLeft == 0
        }
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Counts ticks, until no calls are left.
        var ticker: Task<Void, Never>?
        /// The number of calls that were given up and still run.
        var hangingCount = 0
    }

    private static let ticksPerLimit = 4

    private let limit: Duration
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// Creates a watch that gives up calls that have run for `limit`, or up to a quarter more, by `clock`.
    ///
    /// The default limit is for caches, where it leads to a miss. It is longer than their operations wait for a lock.
    package init(limit: Duration = .seconds(6), clock: any Clock<Duration> = ContinuousClock()) {
        self.limit = limit
        self.clock = clock
    }

    deinit { state.withLock { $0.ticker?.cancel() } }

    /// Returns a watch for files that are loaded. A failure takes more patience than a miss: a disk that was asleep may need
    /// 20 seconds to spin up.
    package static func forSources() -> HangWatch { HangWatch(limit: .seconds(30)) }

    /// Whether calls that were given up still run.
    package var isHanging: Bool { state.withLock { $0.hangingCount > 0 } }

    /// Whether ticks are counted, which ends soon after the last call.
    var isTicking: Bool { state.withLock { $0.ticker != nil } }

    /// Adds `call`, which waits for a thread, and may run for `patience` times the limit without `progress`.
    func add(_ call: any WatchedCall, patience: Int, progress: Progress?) throws(Hang) {
        // The first tick may have begun before the call.
        let ticks = Self.ticksPerLimit * patience + 1
        let entry = Entry(call: call, progress: progress, tickLimit: ticks, ticksLeft: ticks)
        let isRefused = state.withLock { state in
            guard state.hangingCount == 0 else { return true }
            state.entries[ObjectIdentifier(call)] = entry
            if state.ticker == nil { state.ticker = startTicker() }
            return false
        }
        if isRefused { throw Hang(limit: limit) }
    }

    /// Starts to count ticks, without the caller's priority and task-local values.
    private func startTicker() -> Task<Void, Never> {
        Task.detached { [weak self, clock, limit] in
            while (try? await clock.sleep(for: limit / Self.ticksPerLimit)) != nil, let watch = self, watch.tick() {}
        }
    }

    /// Marks `call` as running. Returns `false` if it was given up.
    func begin(_ call: any WatchedCall) -> Bool {
        state.withLock { state in
            // A change in place would allocate memory.
            guard var entry = state.entries[ObjectIdentifier(call)] else { return false }
            entry.isRunning = true
            state.entries[ObjectIdentifier(call)] = entry
            return true
        }
    }

    /// Removes `call`, which has run.
    func end(_ call: any WatchedCall) {
        let wasGivenUp = state.withLock { state in
            guard state.entries.removeValue(forKey: ObjectIdentifier(call)) == nil else { return false }
            state.hangingCount -= 1
            return true
        }
        if wasGivenUp { StateChanges.notify() }
    }

    /// Counts a tick of all calls that run. If one has run for too long, gives up all. Returns whether any are left.
    private func tick() -> Bool {
        let (givenUp, isTicking) = state.withLock { state in
            var isHanging = false
            for index in state.entries.values.indices where state.entries.values[index].isRunning {
                if state.entries.values[index].tick() { isHanging = true }
            }
            var givenUp: [Entry] = []
            if isHanging {
                givenUp = Array(state.entries.values)
                state.entries = [:]
                state.hangingCount = givenUp.count(where: \.isRunning)
            }
            if state.entries.isEmpty { state.ticker = nil }
            return (givenUp, state.ticker != nil)
        }
        for entry in givenUp { entry.call.giveUp(Hang(limit: limit)) }
        StateChanges.notify()
        return isTicking
    }
}

/// A call whose caller need not wait for its end.
protocol WatchedCall: AnyObject, Sendable {
    /// Throws `hang` to the caller.
    func giveUp(_ hang: HangWatch.Hang)
}
