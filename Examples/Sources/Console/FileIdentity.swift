#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The identity of a regular file or of a folder, which is the same for all of its names and for links to it.
package struct FileIdentity: Hashable, Sendable {
    private let device, inode: UInt64

    /// Creates the identity of the file at `path`; `nil` if there is no regular file.
    package init?(ofFileAt path: String) {
        var status = stat()
        guard unsafe stat(path.systemPath, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Creates the identity of the folder at `path`; `nil` if there is none.
    package init?(ofFolderAt path: String) {
        var status = stat()
        guard unsafe stat(path.systemPath, &status) == 0 else { return nil }
        self.init(status, type: S_IFDIR)
    }

    /// Creates the identity of an open file; `nil` if it is not a regular file.
    init?(ofDescriptor number: Int32) {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat, type: mode_t = S_IFREG) {
        guard status.st_mode & S_IFMT == type else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
