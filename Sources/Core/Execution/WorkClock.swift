import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The time that the work on one request takes: decoding, transforming and encoding together.
///
/// It runs only inside `run(_:)`, and stands still while the request waits for memory, a thread, a disk or the network.
/// One thread at a time runs it; any thread may read it.
public final class WorkClock: Sendable {
    /// The seconds that the work may take.
    public let limit: Double

    private let isRunning = Atomic(false)
    /// While it runs: the reading of the system's clock at which the time is used up, in nanoseconds.
    private let deadline = Atomic(0)
    /// While it stands still: the nanoseconds left.
    private let left: Atomic<Int>

    /// A clock that stands still, with all of `limit` left.
    public init(limit: Double = .infinity) {
        self.limit = limit
        left = Atomic(Self.nanoseconds(limit))
    }

    /// Whether the time is used up.
    public var hasRunOut: Bool { remaining <= 0 }

    /// The seconds that it has run.
    public var secondsSpent: Double { Double(Self.nanoseconds(limit) - remaining) / 1e9 }

    /// Runs `body`, and the clock with it.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard !isRunning.load(ordering: .relaxed) else { return try body() }
        start()
        defer { stop() }
        return try body()
    }

    /// Counts `seconds` that the request's work has taken by another clock.
    public func add(secondsSpent seconds: Double) {
        let spent = Self.nanoseconds(seconds)
        left.subtract(spent, ordering: .relaxed)
        deadline.subtract(spent, ordering: .relaxed)
    }

    /// Gives it all of its time anew, and lets it run from now on.
    func restart() {
        left.store(Self.nanoseconds(limit), ordering: .relaxed)
        start()
    }

    private func start() {
        deadline.store(Self.now + left.load(ordering: .relaxed), ordering: .relaxed)
        isRunning.store(true, ordering: .relaxed)
    }

    private func stop() {
        left.store(remaining, ordering: .relaxed)
        isRunning.store(false, ordering: .relaxed)
    }

    private var remaining: Int {
        isRunning.load(ordering: .relaxed)
            ? deadline.load(ordering: .relaxed) - Self.now : left.load(ordering: .relaxed)
    }

    /// The clock that `ContinuousClock` reads, too, which takes several times as long to ask.
    private static var now: Int {
        var time = timespec()
        _ = unsafe clock_gettime(systemClock, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }

    #if os(Linux)
        private static let systemClock = CLOCK_BOOTTIME
    #else
        private static let systemClock = CLOCK_MONOTONIC
    #endif

    /// At most a hundred years, which sums of a few do not overflow.
    private static func nanoseconds(_ seconds: Double) -> Int {
        guard seconds < 100 * 366 * 86_400 else { return 100 * 366 * 86_400 * 1_000_000_000 / 2 }
        return Int(max(seconds, -1) * 1e9)
    }
}
