/// A limit on the rate at which jobs start: a token bucket with one token per start.
public struct RateLimit: Hashable, Sendable {
    /// The sustained number of starts per second, from 0.001 to a million.
    public var perSecond: Double

    /// The number of jobs that may start at once after a pause, from 1 to a million: the capacity of the bucket.
    public var burst: Int

    /// Creates a limit of `perSecond` sustained starts and bursts of `burst`. Values out of range are clamped.
    public init(perSecond: Double, burst: Int = 1) {
        self.perSecond = perSecond > 0.001 ? min(perSecond, 1e6) : 0.001
        self.burst = min(max(1, burst), 1_000_000)
    }
}

/// Computes when the next job may start under a `RateLimit`. Times are relative to any fixed moment.
struct RateMeter {
    let limit: RateLimit

    private let interval: Duration
    private let slack: Duration
    /// The theoretical start of the next job if all starts were spaced by the interval.
    private var next = Duration.zero

    /// Creates a meter with a full bucket.
    init(_ limit: RateLimit) {
        // Clamped again, because the properties can be set after the initializer has clamped them.
        self.limit = RateLimit(perSecond: limit.perSecond, burst: limit.burst)
        interval = .seconds(1 / self.limit.perSecond)
        slack = interval * (self.limit.burst - 1)
    }

    /// The earliest start of the next job.
    var due: Duration { next - slack }

    /// Records a start at `now`.
    mutating func start(at now: Duration) { next = max(next, now) + interval }
}
