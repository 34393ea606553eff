#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A point in time with the resolution of file systems.
struct FileTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970. A time after the year 2262 wraps around, and so counts as long ago.
    let nanoseconds: Int

    private static let zero = FileTime(nanoseconds: 0)

    /// The current time.
    static var now: FileTime {
        var time = Self.zero.timespec
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(time)
    }

    /// Returns the time `seconds` after this one.
    func advanced(bySeconds seconds: Int) -> FileTime { FileTime(nanoseconds: nanoseconds &+ seconds &* 1_000_000_000) }

    /// Returns the duration from `other` to this time.
    func duration(since other: FileTime) -> Duration { .nanoseconds(nanoseconds &- other.nanoseconds) }

    static func < (left: FileTime, right: FileTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension FileTime {
    init(_ time: timespec) { nanoseconds = Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec) }

    /// The representation for system calls.
    var timespec: timespec {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0
            ? .init(tv_sec: seconds - 1, tv_nsec: rest + 1_000_000_000) : .init(tv_sec: seconds, tv_nsec: rest)
    }
}

/// The status of a file.
struct FileStatus: Hashable, Sendable {
    let byteCount: Int
    let isRegular: Bool
    let accessTime: FileTime
    let modificationTime: FileTime
    let changeTime: FileTime

    /// An upper bound of the size of a cache file. A sparse file may appear larger, and sums of such sizes would
    /// overflow.
    private static let maximumByteCount = 1 << 48

    /// Identifies the file among all existing ones.
    let identity: Identity

    /// The numbers of the file and its device.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    init(_ status: stat) {
        byteCount = min(Int(status.st_size), Self.maximumByteCount)
        isRegular = status.st_mode & S_IFMT == S_IFREG
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

    /// Reads the status of the item at `path` without following symbolic links.
    init(ofPath path: String) throws(SystemError) {
        var status = stat()
        try SystemError.check { unsafe path.withCString { unsafe lstat($0, &status) } }
        self.init(status)
    }

    /// Returns whether both are of the same file, which has not been modified except for its access time.
    func hasSameContent(as other: FileStatus) -> Bool {
        identity == other.identity && modificationTime == other.modificationTime && byteCount == other.byteCount
    }
}

extension Date {
    /// Creates the date of a file time.
    init(_ time: FileTime) { self.init(timeIntervalSince1970: Double(time.nanoseconds) / 1e9) }
}
