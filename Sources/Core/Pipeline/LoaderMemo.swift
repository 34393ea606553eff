import DarkroomPlatform

/// The positive answers of a loader about one request. They take longer than a hit in memory, and rarely differ.
struct LoaderMemo: Sendable {
    private var isAccepted = false
    private var permittedRoute: SourceRoute??
    private var localRevision: String?
    private var localCheckedAt = Date.distantPast

    /// Returns whether the loader has accepted the URL, and an entry with this route. Without a route, the URL suffices.
    func permits(_ route: SourceRoute??) -> Bool {
        guard isAccepted, let route else { return isAccepted }
        return permittedRoute == .some(route)
    }

    /// Remembers that the loader has accepted the URL, and an entry with this route.
    mutating func add(_ route: SourceRoute??) {
        isAccepted = true
        if let route { permittedRoute = .some(route) }
    }

    /// Returns whether `revision` was the current version of a local source within the last `interval`.
    func isCurrent(_ revision: String, at now: Date, within interval: Duration) -> Bool {
        guard localRevision == revision else { return false }
        let age = now.timeIntervalSince(localCheckedAt)
        return age >= 0 && age < interval.inSeconds
    }

    /// Remembers that `revision` is the current version of a local source at `now`.
    mutating func add(localRevision revision: String, at now: Date) {
        localRevision = revision
        localCheckedAt = now
    }
}
