import DarkroomPlatform

/// The status of a file.
package struct FileStatus: Hashable, Sendable {
    /// The kinds of things at a path.
    package enum Kind: Hashable, Sendable {
        case regular, folder, pipe, socket, device, other

        fileprivate init(mode: mode_t) {
            switch mode & S_IFMT {
            case S_IFREG: self = .regular
            case S_IFDIR: self = .folder
            case S_IFIFO: self = .pipe
            case S_IFSOCK: self = .socket
            case S_IFCHR, S_IFBLK: self = .device
            default: self = .other
            }
        }
    }

    package let byteCount: Int
    package let kind: Kind
    package let accessTime: FileTime
    package let modificationTime: FileTime
    package let changeTime: FileTime

    /// A bound on the sizes. A sparse file may appear larger, and sums of such sizes would overflow.
    private static let maximumByteCount = 1 << 48

    /// Identifies the file among all existing ones.
    package let identity: Identity

    /// The numbers of the file and its device.
    package struct Identity: Hashable, Sendable {
        package let device: UInt64
        package let inode: UInt64
    }

    init(_ status: stat) {
        byteCount = min(Int(status.st_size), Self.maximumByteCount)
        kind = Kind(mode: status.st_mode)
        #if os(Linux)
            accessTime = FileTime(status.st_atim)
            modificationTime = FileTime(status.st_mtim)
            changeTime = FileTime(status.st_ctim)
        #else
            accessTime = FileTime(status.st_atimespec)
            modificationTime = FileTime(status.st_mtimespec)
            changeTime = FileTime(status.st_ctimespec)
        #endif
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// Reads the status of the item at `path`.
    package init(of path: FilePath, followsLinks: Bool = false) throws(SystemError) {
        var status = stat()
        unsafe try path.call(.status) { unsafe followsLinks ? stat($0, &status) : lstat($0, &status) }
        self.init(status)
    }

    /// Whether it is a file, and not a folder, a link, or something else.
    package var isRegular: Bool { kind == .regular }

    /// A version that changes with the content of the file, unless someone deliberately hides the change.
    package var version: String {
        let time = modificationTime.timespec
        return "\(identity.device):\(identity.inode):\(byteCount):\(time.tv_sec).\(time.tv_nsec)"
    }

    /// Returns whether both are of the same file, which has not been modified except for its access time.
    package func hasSameContent(as other: FileStatus) -> Bool {
        identity == other.identity && modificationTime == other.modificationTime && byteCount == other.byteCount
    }
}

extension FileStatus.Kind: CustomStringConvertible {
    /// The kind in a sentence.
    package var description: String {
        switch self {
        case .regular: "a file"
        case .folder: "a directory"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .device: "a device"
        case .other: "something else"
        }
    }
}
