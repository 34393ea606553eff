import ServerPlatform

/// The time for which caches may keep a response, for the field `Cache-Control`.
struct CacheLifetime: Equatable {
    /// The longest lifetime that is sent: a year.
    private static let limit = 31_536_000

    /// The lifetime of a response that no cache may keep.
    static let none = CacheLifetime(isPrivate: true, seconds: 0, staleSeconds: 0, isStored: false)

    private let isPrivate: Bool
    private let seconds: Int
    private let staleSeconds: Int
    private let isStored: Bool
    private var endsWithSignature = false

    /// Creates the lifetime of a response that is fresh for some time, and may be used for some more while a cache
    /// revalidates it.
    init(isPrivate: Bool, freshFor: Duration, staleFor: Duration) {
        self.init(
            isPrivate: isPrivate, seconds: Self.whole(freshFor), staleSeconds: Self.whole(staleFor), isStored: true)
    }

    private init(isPrivate: Bool, seconds: Int, staleSeconds: Int, isStored: Bool) {
        self.isPrivate = isPrivate
        self.seconds = seconds
        self.staleSeconds = staleSeconds
        self.isStored = isStored
    }

    /// Returns the lifetime, of which nothing remains after `expiry`: that of the signature, behind which every cache
    /// would continue to serve the response. `nil` does not limit it.
    func ending(at expiry: Date?, now: Date = .now) -> CacheLifetime {
        guard let expiry else { return self }
        let left = Self.clamped(Int(saturating: expiry.timeIntervalSince(now)))
        guard left > 0, isStored else { return .none }
        let fresh = min(seconds, left)
        var lifetime = CacheLifetime(
            isPrivate: isPrivate, seconds: fresh, staleSeconds: min(staleSeconds, left - fresh), isStored: true)
        lifetime.endsWithSignature = true
        return lifetime
    }

    /// The value of the field.
    var field: String {
        guard isStored else { return "no-store" }
        let audience = isPrivate ? "private" : "public"
        guard seconds > 0 else { return "\(audience), no-cache" }
        if staleSeconds > 0 { return "\(audience), max-age=\(seconds), stale-while-revalidate=\(staleSeconds)" }
        // Otherwise a cache that cannot reach the server may serve the response after its end.
        return "\(audience), max-age=\(seconds)\(endsWithSignature ? ", must-revalidate" : "")"
    }

    /// Returns the whole seconds of `time`, from 0 to a year.
    private static func whole(_ time: Duration) -> Int { clamped(Int(time.components.seconds)) }

    private static func clamped(_ seconds: Int) -> Int { min(max(seconds, 0), limit) }
}
