#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the system refuses this process: a fault that any code that uses files meets, without a seam in it.
enum ProcessLimit: Codable, Sendable {
    /// To make a file longer than this.
    case fileByteCount(Int)
    /// To have more files open; those that are open stay so.
    case openFileCount(Int)

    /// When it holds, for a sentence.
    var circumstances: String {
        switch self {
        case .fileByteCount: "when the disk is full"
        case .openFileCount: "when no file can be opened"
        }
    }

    func set() {
        // What does not fit is then an error of the write, and no signal that ends the process.
        signal(SIGXFSZ, SIG_IGN)
        switch self {
        case .fileByteCount(let count), .openFileCount(let count): change(to: rlim_t(count))
        }
    }

    func lift() { change(to: nil) }

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
