import DarkroomPlatform

/// The positive answers of a loader about one request. They take longer than a hit in memory, and rarely differ.
struct LoaderMemo: Sendable {
    private var isAccepted = false
    private var permittedRoute: SourceRoute??
    /// The version of a local source that was read last, and when.
    private(set) var local: (revision: String, readAt: Date)?
    private var startedReadings = 0
    private var newestReading = 0

    /// The part that also applies to variations of the request.
    var forVariations: LoaderMemo {
        var memo = LoaderMemo()
        memo.local = local
        return memo
    }

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

    /// Returns whether the version of a local source was read within the last `interval`.
    func knowsLocal(at now: Date, within interval: Duration) -> Bool {
        guard let local else { return false }
        let age = now.timeIntervalSince(local.readAt)
        return age >= 0 && age < interval.inSeconds
    }

    /// Returns the number of a reading of the version of a local source, which begins now.
    mutating func beginReading() -> Int {
        startedReadings += 1
        return startedReadings
    }

    /// Remembers that `revision` is the version of a local source at `now`, unless a reading that began later has ended
    /// already. If it is `nil`, the source counts as changed, and its version is read again by the next call.
    mutating func endReading(_ number: Int, with revision: String?, at now: Date) {
        guard number > newestReading else { return }
        newestReading = number
        local = revision.map { ($0, now) } ?? ("unknown:\(UUID().uuidString)", .distantPast)
    }
}
