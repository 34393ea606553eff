import DarkroomPlatform

/// The part of the freshness verdict that does not depend on the request. It is computed once per image, so that a
/// memory hit copies no metadata.
enum FreshnessSummary: Sendable {
    /// Fresh for ever: no origin server declared its freshness.
    case always
    /// As fresh as declared, for every request.
    case timed(Freshness)
    /// Depends on the header fields or credentials of the request, or on the current version of a local source.
    case dependsOnRequest

    init(of version: OriginalVersion?) {
        guard let version else {
            self = .always
            return
        }
        guard !version.isLocal, version.varied.isEmpty, version.route?.usesCredentials != true else {
            self = .dependsOnRequest
            return
        }
        self = version.freshness.map { .timed($0) } ?? .always
    }

    /// Returns the verdict that the image is fresh, for a `context` with the default lookup; `nil` if it may not be
    /// fresh, and only `OriginalVersion.verdict` can decide.
    func verdict(for context: ImageContext, at now: @autoclosure () -> Date) -> CacheDecision? {
        switch self {
        case .always: return .fresh(for: nil)
        case .dependsOnRequest: return nil
        case .timed(let freshness):
            guard let left = freshness.secondsLeft(at: now(), for: context) else { return .fresh(for: nil) }
            return left > 0 ? .fresh(for: Duration(saturatingSeconds: left)) : nil
        }
    }
}
