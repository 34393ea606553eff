import DarkroomPlatform

/// A resource limit of this process, which injects faults into any code that uses files, without a hook in it.
package enum ProcessLimit: Codable, Sendable {
    /// The maximum size of a file.
    case fileByteCount(Int)
    /// The maximum number of open files; files that are already open stay open.
    case openFileCount(Int)

    /// The circumstances for a message.
    var circumstances: String {
        switch self {
        case .fileByteCount: "when the disk is full"
        case .openFileCount: "when no file can be opened"
        }
    }

    /// Sets the soft limit.
    package func set() {
        // Exceeding the limit is then an error of the write instead of a fatal signal.
        signal(SIGXFSZ, SIG_IGN)
        switch self {
        case .fileByteCount(let count), .openFileCount(let count): change(to: rlim_t(count))
        }
    }

    /// Raises the soft limit to what the system allows.
    package func lift() { change(to: nil) }

    private func change(to count: rlim_t?) {
        var limit = rlimit()
        unsafe getrlimit(resource, &limit)
        limit.rlim_cur = count ?? limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }

    #if canImport(Glibc)
        private var resource: __rlimit_resource_t {
            switch self {
            case .fileByteCount: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
            case .openFileCount: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            }
        }
    #else
        private var resource: CInt {
            switch self {
            case .fileByteCount: RLIMIT_FSIZE
            case .openFileCount: RLIMIT_NOFILE
            }
        }
    #endif
}
