/// The policy that determines how long an image may be used before it is revalidated.
///
/// The policy is applied when entries are read, so that a change also affects existing ones. It does not apply to local
/// sources, whose changes are always detected.
public enum FreshnessPolicy: Hashable, Sendable {
    /// Follow the header fields of the origin server.
    case server

    /// Treat every response as fresh for a fixed time after it was received or confirmed, regardless of its header
    /// fields.
    ///
    /// Responses that the origin server forbids to store are stored only with `ignoresNoStore`.
    case lifetime(Duration, ignoresNoStore: Bool = false)

    /// Treat every cached response as fresh for ever, so that it is never requested again.
    case immutable
}

private enum FreshnessPolicyKey: ImageContextKey {
    static var defaultValue: FreshnessPolicy { .server }
    static func effect(of value: FreshnessPolicy) -> ContextEffect { .lookup }
    static func flightFragment(for value: FreshnessPolicy) -> String? {
        value == .server ? nil : "FreshnessPolicy(\(value))"
    }
}

private enum HeuristicLifetimeLimitKey: ImageContextKey {
    static var defaultValue: Duration { .seconds(86_400) }
    static func effect(of value: Duration) -> ContextEffect { .lookup }
    static func flightFragment(for value: Duration) -> String? {
        value == defaultValue ? nil : "HeuristicLifetimeLimit(\(value))"
    }
}

private enum DefaultLifetimeKey: ImageContextKey {
    static var defaultValue: Duration? { nil }
    static func effect(of value: Duration?) -> ContextEffect { .lookup }
    static func flightFragment(for value: Duration?) -> String? { value.map { "DefaultLifetime(\($0))" } }
}

private enum DefaultStaleWhileRevalidateKey: ImageContextKey {
    static var defaultValue: Duration { .zero }
    static func effect(of value: Duration) -> ContextEffect { .lookup }
    static func flightFragment(for value: Duration) -> String? {
        value == defaultValue ? nil : "DefaultStaleWhileRevalidate(\(value))"
    }
}

private enum ServesSeveralUsersKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func effect(of value: Bool) -> ContextEffect { .lookup }
    static func flightFragment(for value: Bool) -> String? { value ? "ServesSeveralUsers(1)" : nil }
}

private enum LocalCheckIntervalKey: ImageContextKey {
    static var defaultValue: Duration { .zero }
    static func effect(of value: Duration) -> ContextEffect { .nothing }
}

private enum RevalidatesStaleKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func effect(of value: Bool) -> ContextEffect { .lookup }
    static func flightFragment(for value: Bool) -> String? { value ? "RevalidatesStale(1)" : nil }
}

extension ImageContext {
    /// The policy for the freshness of images. The default follows the header fields of the origin server.
    public var freshnessPolicy: FreshnessPolicy {
        get { self[FreshnessPolicyKey.self] }
        set { self[FreshnessPolicyKey.self] = newValue }
    }

    /// The maximum heuristic freshness lifetime, for responses that declare only when they last changed. The
    /// default is one day.
    ///
    /// Up to this limit, the lifetime is a tenth of the time since the last change. A ``defaultLifetime`` replaces it.
    public var heuristicLifetimeLimit: Duration {
        get { self[HeuristicLifetimeLimitKey.self] }
        set { self[HeuristicLifetimeLimitKey.self] = newValue }
    }

    /// The freshness lifetime of responses for which the origin server declares none, even if it declares
    /// when they last changed; `nil`, the default, for the heuristic lifetime, or for ever without that date.
    public var defaultLifetime: Duration? {
        get { self[DefaultLifetimeKey.self] }
        set { self[DefaultLifetimeKey.self] = newValue }
    }

    /// How long after the ``defaultLifetime`` the stale response may be used while it is revalidated. The default is zero.
    ///
    /// It does not apply to responses for which the origin server declares a lifetime.
    public var defaultStaleWhileRevalidate: Duration {
        get { self[DefaultStaleWhileRevalidateKey.self] }
        set { self[DefaultStaleWhileRevalidateKey.self] = newValue }
    }

    /// Whether the images are for several users, as those of a server are. The default is `false`.
    ///
    /// Responses are then fresh as long as in a shared cache (RFC 9111, section 5.2.2): `s-maxage` replaces `max-age`, and with it
    /// or `proxy-revalidate` a stale response is not used without revalidation. A response for a single user is stored all the
    /// same, and a server should forward ``RemainingFreshness/isPrivate``.
    public var servesSeveralUsers: Bool {
        get { self[ServesSeveralUsersKey.self] }
        set { self[ServesSeveralUsersKey.self] = newValue }
    }

    /// How long the version of a local source counts as current once it was read. The default, zero, reads it for each load.
    ///
    /// It applies to uses of the same ``PreparedRequest``, and lets a server read the status of a file less often than
    /// it sends the image. Only within this time does ``ImageManager/encodedInMemory(_:)`` return the file of an image whose
    /// version has to be read.
    public var localCheckInterval: Duration {
        get { self[LocalCheckIntervalKey.self] }
        set { self[LocalCheckIntervalKey.self] = newValue }
    }

    /// Whether to wait for the revalidation even if a stale response might be used meanwhile.
    var revalidatesStale: Bool {
        get { self[RevalidatesStaleKey.self] }
        set { self[RevalidatesStaleKey.self] = newValue }
    }
}
