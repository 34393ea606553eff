#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Whether, and when, a load that failed is tried again.
public struct RetryPolicy: Sendable {
    /// How many times it is tried, the first time included: 3.
    public var attemptCount = 3

    /// The longest pause after the first time: half a second.
    public var basePause: Duration = .seconds(0.5)

    /// How many times as long each pause may be as the one before, at least 1: twice.
    public var factor = 2.0

    /// What no pause exceeds, save one that the origin asks for: 30 seconds.
    public var maximumPause: Duration = .seconds(30)

    /// The longest `Retry-After` of an origin that is waited for: 60 seconds. Who wants more is not asked again.
    public var maximumRetryAfter: Duration = .seconds(60)

    /// What becomes of a pause, so that those who failed together do not come back together.
    ///
    /// The default is full jitter: anything from nothing to the whole pause.
    public var jitter: @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0...1) }

    /// Which errors are tried again, save those of a caller who left.
    ///
    /// `nil`, the default, means those that are transient, unless the loader holds them for lasting and remembers them.
    public var retries: (@Sendable (ImageError) -> Bool)?

    /// The defaults above, to be changed one by one.
    public init() {}

    /// How long to wait after the attempt with this number, the first being 1, has failed; `nil` when it was the last.
    func pause(afterAttempt number: Int, _ error: ImageError) -> Duration? {
        guard number < attemptCount else { return nil }
        let backoff = max(.zero, jitter(longestPause(afterAttempt: number)))
        guard let wish = error.retryAfter(now: .now) else { return backoff }
        return wish > maximumRetryAfter ? nil : max(wish, backoff)
    }

    private func longestPause(afterAttempt number: Int) -> Duration {
        // In seconds, which cannot overflow.
        let (maximum, factor) = (max(.zero, maximumPause) / .seconds(1), factor > 1 ? factor : 1)
        var seconds = max(.zero, basePause) / .seconds(1)
        for _ in 1..<max(number, 1) where factor > 1 && seconds < maximum { seconds *= factor }
        return .seconds(min(seconds, maximum))
    }
}

extension ImageError {
    /// Whether trying again may help: a time-out, a broken connection, or a status that says so (408, 425, 429, 500, 502,
    /// 503, 504).
    public var isTransient: Bool {
        switch kind {
        case .network, .timedOut: true
        case .status: [408, 425, 429, 500, 502, 503, 504].contains(response?.status)
        default: false
        }
    }

    /// How long the origin asks to be left alone; `nil` when it says nothing that can be read.
    fileprivate func retryAfter(now: Date) -> Duration? {
        guard let headers = response?.headers, let field = headers["retry-after"] else { return nil }
        if field.isDecimal { return .seconds(Int(decimal: field) ?? .max) }
        // The origin's own clock, if it tells: ours may be wrong.
        let origin = headers["date"].flatMap(Date.init(httpDate:)) ?? now
        return Date(httpDate: field).map { max(.zero, .seconds($0.timeIntervalSince(origin))) }
    }
}
