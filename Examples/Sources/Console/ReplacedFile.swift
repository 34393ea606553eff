#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that another one is about to replace.
struct ReplacedFile {
    /// The path of the file itself, which is not a link.
    let path: String
    /// The permissions, the group and the owner, among others.
    let status: stat
    /// Whether a link led to the file.
    let isLinked: Bool

    /// Finds the file at `path`; `nil` if there is none, or only a link to none.
    init?(at path: String) throws(SystemError) {
        var status = stat()
        var ownStatus = stat()
        guard unsafe stat(path.systemPath, &status) == 0, unsafe lstat(path.systemPath, &ownStatus) == 0 else {
            return nil
        }
        let isLinked = ownStatus.st_mode & S_IFMT == S_IFLNK
        // Any other path stays as it is: a relative one may lead to a file whose absolute path the user may not follow.
        self.path = try isLinked ? Self.target(ofLinkAt: path) : path
        self.status = status
        self.isLinked = isLinked
    }

    private static func target(ofLinkAt path: String) throws(SystemError) -> String {
        guard let resolved = unsafe realpath(path.systemPath, nil) else { throw SystemError() }
        defer { unsafe free(resolved) }
        return unsafe String(systemBytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }
}
