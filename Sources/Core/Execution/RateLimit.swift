/// A limit on a rate: a sustained number per second, with bursts after a pause.
public struct RateLimit: Hashable, Sendable {
    /// The sustained number per second, from 0.001 to a million.
    public var perSecond: Double

    /// The number that is allowed at once after a pause, from 1 to a million: the capacity of the bucket.
    public var burst: Int

    /// Creates a limit of `perSecond` in the long run and bursts of `burst`. Values out of range are clamped.
    public init(perSecond: Double, burst: Int = 1) {
        self.perSecond = perSecond > 0.001 ? min(perSecond, 1e6) : 0.001
        self.burst = min(max(1, burst), 1_000_000)
    }

    /// This limit with its values in range, because the properties can be set after the initializer has clamped them.
    var clamped: RateLimit { RateLimit(perSecond: perSecond, burst: burst) }
}
