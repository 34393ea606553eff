import DarkroomPlatform
import Synchronization

/// The requests that a failure concerns: those for a URL, with the same options that affect what is there.
private struct FailedRequests: Hashable {
    let url: URL
    let options: [String]
    /// The credentials that were refused, and the other options of the request; `nil` if the failure does not depend on
    /// them.
    var credentials: [String]?

    init(like request: Request) {
        url = request.url
        options = request.context.sourceVariant.parts
    }

    /// Returns the requests with the same credentials; `nil` if there are none.
    func withCredentials(of request: Request) -> FailedRequests? {
        guard let credentials = request.credentials else { return nil }
        var requests = self
        requests.credentials = credentials
        return requests
    }
}

extension Request {
    /// The field with credentials that its loader sends; `nil` if there is none, or it is not known in advance. Cookies do
    /// not count, because the next response may replace them.
    var authorization: String? {
        let field = loader?.requestFields(for: LoadRequest(url: url, context: context))["authorization"]
        return field?.isEmpty == false ? field : nil
    }
}

extension Request {
    /// The credentials that its loader sends, with its state and the options that may set them, because the field may hide
    /// the secret; `nil` if it sends none.
    var credentials: [String]? { authorization.map { [$0, transferState] + context.transferFragments } }

    /// The current state of its loader.
    var transferState: String { loader?.transferState(for: LoadRequest(url: url, context: context)) ?? "" }
}

extension ImageError {
    /// Whether the origin server has refused the credentials of the request.
    var refusesCredentials: Bool {
        guard let response else { return false }
        return response.status == 401 || response.status == 403 && response.headers["www-authenticate"] != nil
    }
}

/// The URLs that failed recently: a bounded list whose entries expire.
final class FailedURLs: Sendable {
    private struct Entry {
        let error: ImageError
        let expires: ContinuousClock.Instant
        /// The response to the same request, if that limits the entry.
        let refusal: Refusal?
    }

    /// Large enough for a page full of broken images, small enough to be negligible.
    private static let countLimit = 1000

    /// Longer than the life of any process, and within the range of a clock.
    private static let longestLifetime = Duration.seconds(1_000_000_000)

    private let lifetime: Duration
    private let entries = Mutex<[FailedRequests: Entry]>([:])

    /// Creates an empty list of failures that expire after `lifetime`; `nil` for never.
    init(lifetime: Duration?) { self.lifetime = min(lifetime ?? Self.longestLifetime, Self.longestLifetime) }

    /// Returns the error with which a request like this one failed recently; `nil` if none did, or if what its response
    /// says about other requests, according to `isAnswer`, excludes this one.
    func failure(of request: Request, isAnswer: (Refusal) -> Bool) -> ImageError? {
        guard entries.withLock({ !$0.isEmpty }) else { return nil }
        let requests = FailedRequests(like: request)
        return [requests, requests.withCredentials(of: request)].lazy.compactMap(\.self).compactMap(entry)
            .first { $0.refusal.map(isAnswer) ?? true }?.error
    }

    /// Remembers that `request` failed with `error`, for as long as `refusal` says if there is one.
    func insert(_ request: Request, error: ImageError, refusal: Refusal? = nil) {
        guard lifetime > .zero else { return }
        let requests = FailedRequests(like: request)
        let refused = error.refusesCredentials ? requests.withCredentials(of: request) : nil
        let lifetime = refusal == nil ? lifetime : Self.longestLifetime
        insert(refused ?? requests, Entry(error: error, expires: .now + lifetime, refusal: refusal))
    }

    /// Removes the failures of requests like this one, because it has succeeded.
    func remove(_ request: Request) {
        guard entries.withLock({ !$0.isEmpty }) else { return }
        let requests = FailedRequests(like: request)
        let refused = requests.withCredentials(of: request)
        entries.withLock { entries in
            entries[requests] = nil
            if let refused { entries[refused] = nil }
        }
    }

    /// Removes all failures of `url`.
    func removeAll(of url: URL) { entries.withLock { entries in entries = entries.filter { $0.key.url != url } } }

    /// Removes all failures.
    func removeAll() { entries.withLock { $0 = [:] } }

    private func entry(for requests: FailedRequests) -> Entry? {
        entries.withLock { entries in
            guard let entry = entries[requests] else { return nil }
            guard ContinuousClock.now < entry.expires else {
                entries[requests] = nil
                return nil
            }
            return entry
        }
    }

    private func insert(_ requests: FailedRequests, _ entry: Entry) {
        entries.withLock { entries in
            if entries.count >= Self.countLimit {
                let now = ContinuousClock.now
                entries = entries.filter { now < $0.value.expires }
                if entries.count >= Self.countLimit, let first = entries.keys.first { entries[first] = nil }
            }
            entries[requests] = entry
        }
    }
}
