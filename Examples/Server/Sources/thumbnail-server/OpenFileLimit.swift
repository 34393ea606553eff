import ServerPlatform

/// The number of files that this process may have open. Each connection is one.
///
/// libdispatch ends a process in which none can be opened: each second it reads the states of its threads in `/proc`, and takes
/// a failure for a thread that has ended without notice. So client connections must leave room for everything else.
enum OpenFileLimit {
    /// The files besides client connections without which the server does not start: those of its event loops, caches and
    /// worker processes, and some connections to origin servers.
    private static let leastOwnCount = 256

    /// The files besides client connections if hundreds of origin servers have connections that wait for the next request.
    private static let ownCount = 1024

    /// Raises the limit, if it is too low for `connectionCount` connections of clients, as far as the system allows.
    ///
    /// - Throws: A `SettingsError` if that is not far enough.
    static func raise(for connectionCount: Int) throws {
        var limit = rlimit()
        guard unsafe getrlimit(openFiles, &limit) == 0 else { return }
        let (needed, least) = (rlim_t(connectionCount + ownCount), rlim_t(connectionCount + leastOwnCount))
        guard limit.rlim_cur < needed else { return }
        limit.rlim_cur = min(limit.rlim_max, needed)
        guard limit.rlim_cur >= least, unsafe setrlimit(openFiles, &limit) == 0 else {
            throw SettingsError(
                "http.connections requires a limit of at least \(least) open files, and the system allows \(limit.rlim_max); "
                    + "raise that, with ulimit -Hn or LimitNOFILE of systemd, or set http.connections to less")
        }
    }

    #if canImport(Glibc)
        private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let openFiles = RLIMIT_NOFILE
    #endif
}
