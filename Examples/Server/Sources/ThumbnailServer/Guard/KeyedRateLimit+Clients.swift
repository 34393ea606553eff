import Darkroom
import HTTPTypes

extension KeyedRateLimit<ClientNetwork> {
    /// Takes a token of `client`, or throws a problem that says when there will be one.
    func admit(_ client: ClientNetwork, at now: ContinuousClock.Instant = .now) throws(Problem) {
        guard let wait = take(client, at: now) else { return }
        throw Problem(
            .tooManyRequests, "this client asks for new pictures too often",
            retryAfter: Int((min(wait, .seconds(3600)) / .seconds(1)).rounded(.up)))
    }
}
