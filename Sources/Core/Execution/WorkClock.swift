import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The time spent on one request: decoding, transforming and encoding together.
///
/// It runs only inside `run(_:)`, and not while the request waits for memory, a thread, a disk or the network. Only one
/// thread at a time may run it; any thread may read it.
public final class WorkClock: Sendable {
    /// The maximum number of seconds.
    public let limit: Double

    private let isRunning = Atomic(false)
    /// While it runs: the reading of the system's clock at which the time runs out, in nanoseconds.
    private let deadline = Atomic(0)
    /// While it is stopped: the nanoseconds left.
    private let left: Atomic<Int>

    /// Creates a stopped clock with all of `limit` left.
    public init(limit: Double = .infinity) {
        self.limit = limit
        left = Atomic(Self.nanoseconds(limit))
    }

    /// Whether the time has run out.
    public var hasRunOut: Bool { remaining <= 0 }

    /// The seconds spent so far.
    public var secondsSpent: Double { Double(Self.nanoseconds(limit) - remaining) / 1e9 }

    /// Runs `body`, and the clock meanwhile.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard !isRunning.load(ordering: .relaxed) else { return try body() }
        start()
        defer { stop() }
        return try body()
    }

    /// Adds `seconds` spent on the request that another clock has measured.
    public func add(secondsSpent seconds: Double) {
        let spent = Self.nanoseconds(seconds)
        left.subtract(spent, ordering: .relaxed)
        deadline.subtract(spent, ordering: .relaxed)
    }

    /// Resets the clock to all of its time, and starts it.
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

    /// The reading of the clock behind `ContinuousClock`, whose own interface takes several times as long.
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

    /// Converts seconds to nanoseconds, clamped so that sums of a few cannot overflow.
    private static func nanoseconds(_ seconds: Double) -> Int {
        guard seconds < 100 * 366 * 86_400 else { return 100 * 366 * 86_400 * 1_000_000_000 / 2 }
        return Int(max(seconds, -1) * 1e9)
    }
}
