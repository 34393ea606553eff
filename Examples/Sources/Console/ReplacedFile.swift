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

    /// Finds the file at `path`; `nil` if there is none, or only a link to none.
    init?(at path: String) throws(SystemError) {
        var status = stat()
        guard unsafe stat(path.systemPath, &status) == 0 else { return nil }
        guard let resolved = unsafe realpath(path.systemPath, nil) else { throw SystemError() }
        defer { unsafe free(resolved) }
        self.path = unsafe String(systemBytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
        self.status = status
    }
}
