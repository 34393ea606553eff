public import DarkroomPlatform

private enum RemembersFailureKey: ImageContextKey {
    static var defaultValue: (@Sendable (URL, ImageError) -> Bool)? { nil }
    // It does not affect the result, so loads may share a run.
    static func effect(of value: (@Sendable (URL, ImageError) -> Bool)?) -> ContextEffect { .nothing }
}

private enum AcceptsAnyDataKey: ImageContextKey {
    static var defaultValue: Bool { false }
    // Among callers that share a transfer, those that need an image fail by themselves.
    static func effect(of value: Bool) -> ContextEffect { .nothing }
}

extension ImageContext {
    /// Whether the bytes of the original are delivered even if no coder accepts them.
    var acceptsAnyData: Bool {
        get { self[AcceptsAnyDataKey.self] }
        set { self[AcceptsAnyDataKey.self] = newValue }
    }

    /// Returns whether the failure of a URL is remembered, so that it is not tried again for a while; `nil` leaves the
    /// decision to the loader.
    ///
    /// The loader is not consulted if the origin server refuses credentials, with status 401 or with 403 and a challenge:
    /// that is remembered for requests with the same credentials. Nor is it if the context has a loader, a coder, a
    /// modifier or a decryptor; such failures are not remembered, and such a request is not refused because another one
    /// failed. Cancelled and refused loads are never remembered. Among callers that share a transfer, the first one
    /// decides.
    public var remembersFailure: (@Sendable (URL, ImageError) -> Bool)? {
        get { self[RemembersFailureKey.self] }
        set { self[RemembersFailureKey.self] = newValue }
    }

    /// Returns whether to remember that `url` failed with `error`. `loader` decides if the context does not, except on
    /// refused credentials.
    func remembers(
        _ error: ImageError, of url: URL, by loader: (any ImageLoader)?, sendsCredentials: Bool
    ) -> Bool {
        guard ![.cancelled, .refused].contains(error.kind) else { return false }
        if let remembersFailure { return remembersFailure(url, error) }
        guard usesStandardParts else { return false }
        return error.refusesCredentials && sendsCredentials || loader?.remembers(error) ?? false
    }

    /// Whether the failures and successes of other requests for the same URL concern this one, and the reverse.
    var sharesFailures: Bool { usesStandardParts || remembersFailure != nil }

    /// Whether no component of this request only may be to blame for a failure.
    var usesStandardParts: Bool {
        loader == nil && coder == nil && requestModifier == nil && responseModifier == nil && decryptor == nil
    }
}
