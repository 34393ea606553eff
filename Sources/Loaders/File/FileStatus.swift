import DarkroomCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The metadata that the system keeps about a file.
struct FileStatus {
    private let status: stat

    /// The size that the file reports.
    var byteCount: Int { Int(status.st_size) }

    /// The kind of file, unless it is a regular one.
    var irregularKind: String? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a directory"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "something else"
        }
    }

    /// A version that changes with the content of the file, unless someone deliberately hides the change.
    var version: String {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return "\(status.st_dev):\(status.st_ino):\(status.st_size):\(time.tv_sec).\(time.tv_nsec)"
    }

    /// Reads the status of the file at `path`, following links.
    init(of path: FilePath) throws(ImageError) {
        var status = stat()
        guard unsafe stat(path.characters, &status) == 0 else { throw ImageError(errno, path) }
        self.status = status
    }

    /// Reads the status of an open file.
    init(of descriptor: CInt, _ path: FilePath) throws(ImageError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw ImageError(errno, path) }
        self.status = status
    }
}

extension ImageError {
    /// Creates the error of a load of `path` from the system's error `code`.
    init(_ code: CInt, _ path: FilePath) {
        switch code {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP:
            self.init(.invalidURL, .load, "there is no file at \(path.description)")
        case EACCES, EPERM:
            self.init(.refused, .load, "there is no permission to read \(path.description)")
        default:
            let reason = unsafe String(cString: strerror(code))
            self.init(.refused, .load, "\(path.description) cannot be read: \(reason)")
        }
    }
}
