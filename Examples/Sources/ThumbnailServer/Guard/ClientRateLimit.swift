import Darkroom
import HTTPTypes
import Synchronization

/// Bounds how often each client may ask for work: a token bucket for each network.
final class ClientRateLimit: Sendable {
    private struct Bucket {
        var tokens: Double
        var time: ContinuousClock.Instant
    }

    /// Past so many, the full buckets go, which know nothing worth keeping.
    private static let bucketLimit = 10_000

    private let limit: RateLimit
    private let buckets = Mutex<[ClientNetwork: Bucket]>([:])

    /// Buckets that fill as `limit` says.
    init(_ limit: RateLimit) { self.limit = limit }

    /// Takes a token of `client`, or throws when it has none.
    func take(_ client: ClientNetwork, at now: ContinuousClock.Instant = .now) throws(Problem) {
        let wait = buckets.withLock { buckets -> Double? in
            if buckets.count >= Self.bucketLimit { drop(&buckets, now) }
            var bucket = refilled(buckets[client], now)
            defer { buckets[client] = bucket }
            guard bucket.tokens >= 1 else { return (1 - bucket.tokens) / limit.perSecond }
            bucket.tokens -= 1
            return nil
        }
        guard let wait else { return }
        throw Problem(
            .tooManyRequests, "this client asks for new pictures too often",
            retryAfter: Int(min(wait, 3600).rounded(.up)))
    }

    private func refilled(_ bucket: Bucket?, _ now: ContinuousClock.Instant) -> Bucket {
        guard let bucket else { return Bucket(tokens: Double(limit.burst), time: now) }
        let seconds = (now - bucket.time) / .seconds(1)
        return Bucket(tokens: min(Double(limit.burst), bucket.tokens + max(0, seconds) * limit.perSecond), time: now)
    }

    private func drop(_ buckets: inout [ClientNetwork: Bucket], _ now: ContinuousClock.Instant) {
        buckets = buckets.filter { refilled($0.value, now).tokens < Double(limit.burst) }
        // As many as this that are all in use are an attack from as many addresses, and then none is special.
        if buckets.count >= Self.bucketLimit { buckets = [:] }
    }
}
