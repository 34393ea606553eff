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

/// A moment, as file systems keep it.
struct FileTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970; a moment beyond the year 2262 wraps round, and so counts as long ago.
    let nanoseconds: Int

    private static let zero = FileTime(nanoseconds: 0)

    /// The present.
    static var now: FileTime {
        var time = Self.zero.timespec
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(time)
    }

    /// The moment `seconds` after this one.
    func advanced(bySeconds seconds: Int) -> FileTime { FileTime(nanoseconds: nanoseconds &+ seconds &* 1_000_000_000) }

    /// How much later this moment is than `other`.
    func duration(since other: FileTime) -> Duration { .nanoseconds(nanoseconds &- other.nanoseconds) }

    static func < (left: FileTime, right: FileTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension FileTime {
    init(_ time: timespec) { nanoseconds = Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec) }

    /// The form that system calls take.
    var timespec: timespec {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0
            ? .init(tv_sec: seconds - 1, tv_nsec: rest + 1_000_000_000) : .init(tv_sec: seconds, tv_nsec: rest)
    }
}

/// What the file system knows about a file.
struct FileStatus: Hashable, Sendable {
    let byteCount: Int
    let isRegular: Bool
    let accessTime: FileTime
    let modificationTime: FileTime
    let changeTime: FileTime

    /// No file of a cache is longer. Holes can make a file seem so, and sums of such lengths overflow.
    private static let largestByteCount = 1 << 48

    /// Tells files apart that are there at the same time.
    let identity: Identity

    /// The number of a file, and of the device it is on.
    struct Identity: Hashable, Sendable {
        fileprivate let device: UInt64
        fileprivate let inode: UInt64
    }

    init(_ status: stat) {
        byteCount = min(Int(status.st_size), Self.largestByteCount)
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

    /// What is at `path`; symbolic links are not followed.
    init(ofPath path: String) throws(SystemError) {
        var status = stat()
        try SystemError.check { unsafe lstat(path, &status) }
        self.init(status)
    }

    /// Whether both are of one file, which was used in between at most.
    func isSameContent(as other: FileStatus) -> Bool {
        identity == other.identity && modificationTime == other.modificationTime && byteCount == other.byteCount
    }
}

extension Date {
    /// The moment of a file's time.
    init(_ time: FileTime) { self.init(timeIntervalSince1970: Double(time.nanoseconds) / 1e9) }
}
