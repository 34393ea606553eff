/// The positive decisions of a loader on one request. They take longer than a hit in memory, and rarely differ.
struct AccessMemo: Sendable {
    private var isAccepted = false
    private var permittedRoute: SourceRoute??

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
}
