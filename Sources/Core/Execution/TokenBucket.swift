/// A token bucket: it holds a number of tokens at most, and gains one per interval.
///
/// Times are relative to any moment, which must be the same for all calls.
public struct TokenBucket: Sendable {
    private let interval: Duration
    private let slack: Duration
    /// The time from which the bucket is full.
    private var fullTime: Duration

    /// Creates a bucket that is full at `now`, with the capacity and the rate of `limit`.
    public init(_ limit: RateLimit, at now: Duration = .zero) {
        let limit = limit.clamped
        self.init(interval: .seconds(1 / limit.perSecond), capacity: limit.burst, at: now)
    }

    /// Creates a bucket of `capacity` tokens that is full at `now` and gains one token per `interval`.
    public init(interval: Duration, capacity: Int = 1, at now: Duration = .zero) {
        self.interval = interval
        slack = interval * (capacity - 1)
        fullTime = now
    }

    /// The time from which there is a token.
    public var due: Duration { fullTime - slack }

    /// Returns whether no token is missing at `now`.
    public func isFull(at now: Duration) -> Bool { fullTime <= now }

    /// Takes a token at `now`, even if there is none: then it is one of those to come.
    public mutating func take(at now: Duration) { fullTime = max(fullTime, now) + interval }

    /// Takes a token if there is one at `now`. Otherwise returns the time until there is.
    public mutating func takeIfAvailable(at now: Duration) -> Duration? {
        guard due <= now else { return due - now }
        take(at: now)
        return nil
    }
}
