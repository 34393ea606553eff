/// Who says for how long a picture may be used before its origin is asked again.
///
/// The policy judges what the caches have, so another one counts for old entries, too. Sources on this machine have none:
/// whether they have changed is always known.
public enum FreshnessPolicy: Hashable, Sendable {
    /// The origin, by its header fields.
    case server

    /// Everything is fresh for so many seconds after it came or was confirmed, whatever the origin says.
    ///
    /// What the origin forbids to keep is kept only with `keepsForbidden`.
    case lifetime(seconds: Double, keepsForbidden: Bool = false)

    /// Nothing changes, so that what was kept is not asked for again.
    case immutable
}

private enum FreshnessPolicyKey: ImageContextKey {
    static var defaultValue: FreshnessPolicy { .server }
    static func cacheKeyFragment(for value: FreshnessPolicy) -> String? { nil }
    static func flightFragment(for value: FreshnessPolicy) -> String? {
        value == .server ? nil : "FreshnessPolicy(\(value))"
    }
    static func affectsLookup(for value: FreshnessPolicy) -> Bool { true }
}

private enum HeuristicLifetimeLimitKey: ImageContextKey {
    static var defaultValue: Double { 86_400 }
    static func cacheKeyFragment(for value: Double) -> String? { nil }
    static func flightFragment(for value: Double) -> String? {
        value == defaultValue ? nil : "HeuristicLifetimeLimit(\(value))"
    }
    static func affectsLookup(for value: Double) -> Bool { true }
}

private enum RevalidatesStaleKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func cacheKeyFragment(for value: Bool) -> String? { nil }
    static func flightFragment(for value: Bool) -> String? { value ? "RevalidatesStale(1)" : nil }
    static func affectsLookup(for value: Bool) -> Bool { true }
}

extension ImageContext {
    /// Who says for how long a picture is fresh: its origin, unless set.
    public var freshnessPolicy: FreshnessPolicy {
        get { self[FreshnessPolicyKey.self] }
        set { self[FreshnessPolicyKey.self] = newValue }
    }

    /// The most seconds for which a picture counts as fresh when its origin told only when it last changed: a day.
    ///
    /// Within it, that is a tenth of the time for which it had not changed.
    public var heuristicLifetimeLimit: Double {
        get { self[HeuristicLifetimeLimitKey.self] }
        set { self[HeuristicLifetimeLimitKey.self] = newValue }
    }

    /// Whether the origin is waited for even where something stale might be used meanwhile.
    var revalidatesStale: Bool {
        get { self[RevalidatesStaleKey.self] }
        set { self[RevalidatesStaleKey.self] = newValue }
    }
}
