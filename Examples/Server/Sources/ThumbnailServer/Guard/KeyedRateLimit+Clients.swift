import Darkroom
import HTTPTypes

extension KeyedRateLimit<ClientNetwork> {
    /// Takes a token of `client`, or throws a problem with the time until the next one.
    func admit(_ client: ClientNetwork, at now: ContinuousClock.Instant = .now) throws(Problem) {
        guard let wait = take(client, at: now) else { return }
        throw Problem(
            .tooManyRequests, "the client exceeds its rate limit for new images",
            retryAfter: Int(saturating: (min(wait, .seconds(3600)) / .seconds(1)).rounded(.up)))
    }
}
