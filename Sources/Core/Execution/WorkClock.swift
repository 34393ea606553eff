import Synchronization

/// The processor time spent on one request: decoding, transforming and encoding together.
///
/// It runs only inside `run(_:)`, and counts only what the thread that runs it does: neither waiting for memory, a
/// disk or the network, nor for a processor that other threads use. Only one thread at a time may run it; any thread may
/// read it, and may then miss what was spent since the last reading of the thread that runs it.
public final class WorkClock: Sendable {
    /// The maximum time; `nil` if there is none.
    public let limit: Duration?

    private let readings: WorkReadings
    private let isRunning = Atomic(false)
    /// The nanoseconds left at the last reading.
    private let left: Atomic<Int>
    /// While it runs: the thread whose time is counted.
    private let thread = Atomic<UInt>(0)
    /// While it runs: the processor time of that thread at which the time runs out, in nanoseconds.
    private let deadline = Atomic(0)
    /// While it runs: the time before which it cannot run out, because work takes as long at least.
    private let earliestEnd = Atomic(0)
    /// Whether each thread that reads it runs it from then on.
    private let followsReader = Atomic(false)

    /// Creates a stopped clock with all of `limit` left.
    public convenience init(limit: Duration? = nil) { self.init(limit: limit, readings: .system) }

    /// Creates a stopped clock with all of `limit` left, which takes the time from `readings`.
    package init(limit: Duration?, readings: WorkReadings) {
        self.limit = limit
        self.readings = readings
        left = Atomic(Self.nanoseconds(limit))
    }

    /// Whether the time has run out.
    public var hasRunOut: Bool {
        guard isRunning.load(ordering: .relaxed) else { return left.load(ordering: .relaxed) <= 0 }
        // Processor time takes many times as long to read.
        let now = readings.passed()
        guard now >= earliestEnd.load(ordering: .relaxed) else { return false }
        let remaining = remaining
        earliestEnd.store(now + remaining, ordering: .relaxed)
        return remaining <= 0
    }

    /// The time spent so far.
    public var timeSpent: Duration { .nanoseconds(Self.nanoseconds(limit) - remaining) }

    /// The time left; negative if more was spent.
    package var timeLeft: Duration { .nanoseconds(remaining) }

    /// Runs `body`, and the clock meanwhile.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard !isRunning.load(ordering: .relaxed) else { return try body() }
        start()
        defer { stop() }
        return try body()
    }

    /// Adds time spent on the request that another clock has measured.
    public func add(timeSpent: Duration) {
        let spent = Self.nanoseconds(timeSpent)
        left.lower(by: spent, to: Self.leastTime)
        deadline.lower(by: spent, to: Self.leastTime)
        earliestEnd.lower(by: spent, to: Self.leastTime)
    }

    /// The clock that includes what other processes spend on frames, which have clocks of their own.
    @TaskLocal package static var ofFrames: WorkClock?

    /// Runs `body`, which may decode the frames of animations, with this clock as that of frames.
    func includingFrames<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$ofFrames.withValue(self) { try body() }
    }

    /// Resets the clock to all of its time, and starts it, for the thread that reads it.
    func restart() {
        left.store(Self.nanoseconds(limit), ordering: .relaxed)
        followsReader.store(true, ordering: .relaxed)
        start()
    }

    private func start() {
        let left = left.load(ordering: .relaxed)
        count(on: WorkReadings.thread, with: left)
        earliestEnd.store(readings.passed() + left, ordering: .relaxed)
        isRunning.store(true, ordering: .relaxed)
    }

    private func stop() {
        _ = remaining
        isRunning.store(false, ordering: .relaxed)
    }

    /// Counts the time of `thread` from now on, of which `left` nanoseconds are left.
    private func count(on thread: UInt, with left: Int) {
        self.thread.store(thread, ordering: .relaxed)
        deadline.store(readings.worked() + left, ordering: .relaxed)
    }

    private var remaining: Int {
        let last = left.load(ordering: .relaxed)
        guard isRunning.load(ordering: .relaxed) else { return last }
        let thread = WorkReadings.thread
        guard thread == self.thread.load(ordering: .relaxed) else {
            if followsReader.load(ordering: .relaxed) { count(on: thread, with: last) }
            return last
        }
        let remaining = deadline.load(ordering: .relaxed) - readings.worked()
        left.store(remaining, ordering: .relaxed)
        return remaining
    }

    /// Half a century: sums of a few do not overflow.
    private static let longestTime = Duration.seconds(50 * 366 * 86_400)

    /// The limit that no number of additions goes below.
    private static let leastTime = -nanoseconds(longestTime)

    /// Returns the number of nanoseconds, clamped so that sums of a few cannot overflow.
    private static func nanoseconds(_ time: Duration?) -> Int {
        min(max(time ?? longestTime, .seconds(-1)), longestTime).inNanoseconds
    }
}

extension Atomic<Int> {
    /// Subtracts `amount`, but does not go below `minimum`.
    fileprivate func lower(by amount: Int, to minimum: Int) {
        var last = load(ordering: .relaxed)
        while true {
            let next = Swift.max(last - amount, minimum)
            let (exchanged, original) = compareExchange(expected: last, desired: next, ordering: .relaxed)
            if exchanged { return }
            last = original
        }
    }
}
