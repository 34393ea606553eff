/// How many jobs may start in a time: a bucket that tokens drip into, one for each start.
public struct RateLimit: Hashable, Sendable {
    /// How many may start a second in the long run; from one in 1000 seconds to a million.
    public var perSecond: Double

    /// How many may start at once after a lull, from 1 to a million: how many tokens the bucket holds.
    public var burst: Int

    /// `perSecond` in the long run, and `burst` at once; the next best where these are out of bounds.
    public init(perSecond: Double, burst: Int = 1) {
        self.perSecond = perSecond > 0.001 ? min(perSecond, 1e6) : 0.001
        self.burst = min(max(1, burst), 1_000_000)
    }
}

/// When the next job may start under a `RateLimit`. Times are counted from any one moment.
struct RateMeter {
    let limit: RateLimit

    private let interval: Duration
    private let slack: Duration
    /// When the job after the last one would start if all kept the interval.
    private var next = Duration.zero

    /// A meter with a full bucket.
    init(_ limit: RateLimit) {
        // Taken through the bounds again, for the properties can be set.
        self.limit = RateLimit(perSecond: limit.perSecond, burst: limit.burst)
        interval = .seconds(1 / self.limit.perSecond)
        slack = interval * (self.limit.burst - 1)
    }

    /// When the next one may start.
    var due: Duration { next - slack }

    /// Notes that one starts `now`.
    mutating func start(at now: Duration) { next = max(next, now) + interval }
}
