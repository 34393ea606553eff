import DarkroomPlatform

/// The policy that determines whether and when a failed load is retried.
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts, including the first. The default is 3.
    public var attemptCount = 3

    /// The maximum delay after the first attempt. The default is half a second.
    public var baseDelay: Duration = .milliseconds(500)

    /// The factor between consecutive delays, at least 1. The default is 2.
    public var multiplier = 2.0

    /// The maximum delay, except for one that the origin server requests. The default is 30 seconds.
    public var delayLimit: Duration = .seconds(30)

    /// The maximum `Retry-After` that is honoured. A longer one ends the retries. The default is 60 seconds.
    public var retryAfterLimit: Duration = .seconds(60)

    /// Randomizes a delay, so that clients that failed together do not retry together.
    ///
    /// The default is full jitter: a random delay between zero and the whole delay.
    public var jitter: @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0...1) }

    /// Returns whether an error is retried. Cancellation never is.
    ///
    /// `nil`, the default, retries transient errors that the loader does not remember.
    public var retries: (@Sendable (ImageError) -> Bool)?

    /// Creates a policy with the default values.
    public init() {}

    /// Returns the delay after attempt `number`, counted from 1, has failed with `error`; `nil` if it was the last.
    func delay(afterAttempt number: Int, error: ImageError) -> Duration? {
        guard number < attemptCount else { return nil }
        let backoff = max(.zero, jitter(longestDelay(afterAttempt: number)))
        guard let requested = error.retryAfter(now: .now) else { return backoff }
        return requested > retryAfterLimit ? nil : max(requested, backoff)
    }

    private func longestDelay(afterAttempt number: Int) -> Duration {
        // In seconds, which cannot overflow.
        let (maximum, multiplier) = (max(.zero, delayLimit).inSeconds, multiplier > 1 ? multiplier : 1)
        var seconds = max(.zero, baseDelay).inSeconds
        for _ in 1..<max(number, 1) where multiplier > 1 && seconds < maximum { seconds *= multiplier }
        return .seconds(min(seconds, maximum))
    }
}

extension ImageError {
    /// Whether a retry may succeed: after a timeout, a broken connection, or a status of 408, 425, 429, 500, 502, 503
    /// or 504.
    public var isTransient: Bool {
        switch kind {
        case .network, .timedOut: true
        case .status: [408, 425, 429, 500, 502, 503, 504].contains(response?.status)
        default: false
        }
    }

    /// Returns the delay that the origin server requests; `nil` if there is no valid `Retry-After` field.
    fileprivate func retryAfter(now: Date) -> Duration? {
        guard let headers = response?.headers, let field = headers["retry-after"] else { return nil }
        if field.isDecimal { return .seconds(Int(decimal: field) ?? .max) }
        // By the origin server's clock, if it sent a date, because ours may be wrong.
        let origin = headers["date"].flatMap(Date.init(httpDate:)) ?? now
        return Date(httpDate: field).map { max(.zero, .seconds($0.timeIntervalSince(origin))) }
    }
}
