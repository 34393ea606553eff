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

/// An open file, closed when nobody refers to it any more.
final class FileDescriptor: Sendable {
    /// What a file is opened for.
    enum Use {
        case reading
        /// Writing a file that must not be there yet.
        case creating
        /// Reading and writing; a symbolic link is not followed.
        case changing
        /// Likewise, a file that is made if need be.
        case updating

        // Without `O_NONBLOCK` a named pipe would hold up whoever opens it. It means nothing for ordinary files.
        fileprivate var flags: Int32 {
            switch self {
            case .reading: O_RDONLY | O_CLOEXEC | O_NONBLOCK
            case .creating: O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL
            case .changing: O_RDWR | O_CLOEXEC | O_NOFOLLOW
            case .updating: O_RDWR | O_CLOEXEC | O_CREAT | O_NOFOLLOW
            }
        }

        fileprivate var call: FileCall { self == .creating ? .create : .open }
    }

    private let number: Int32
    private let faults: FileFaults?

    /// Opens the file at `path`; one that is made is its owner's alone.
    ///
    /// On Linux, reading its owner's file does not count as its last use.
    init(_ path: FilePath, for use: Use) throws(SystemError) {
        faults = path.faults
        try faults?.check(use.call)
        do {
            number = try SystemError.check { unsafe open(path.text, use.flags | Self.quiet, 0o600) }
        } catch let error where error.code == EPERM && Self.quiet != 0 {
            number = try SystemError.check { unsafe open(path.text, use.flags, 0o600) }
        }
    }

    deinit { close(number) }

    /// What the file system knows about it.
    func status() throws(SystemError) -> FileStatus {
        try faults?.check(.status)
        var status = stat()
        try SystemError.check { unsafe fstat(number, &status) }
        return FileStatus(status)
    }

    /// Up to `byteCount` bytes from `offset`; fewer only at the end of the file.
    func read(_ byteCount: Int, at offset: Int = 0) throws(SystemError) -> Data {
        guard byteCount > 0 else { return Data() }
        guard let bytes = unsafe malloc(byteCount) else { throw SystemError(code: ENOMEM) }
        do {
            let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: byteCount)
            let count = unsafe try read(into: buffer, at: offset)
            return unsafe Data(bytesNoCopy: bytes, count: count, deallocator: .free)
        } catch {
            unsafe free(bytes)
            throw error
        }
    }

    /// Fills `buffer` from `offset`, and answers how much of it; less than all only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        try faults?.check(.read)
        var count = 0
        while count < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let start = off_t(offset + count)
            let added = try SystemError.check { unsafe pread(number, rest.baseAddress, rest.count, start) }
            guard added > 0 else { break }
            count += added
        }
        return count
    }

    /// Writes `parts` from the start, one behind the other.
    func write(_ parts: [Data]) throws {
        var offset = 0
        for part in parts {
            unsafe try part.withUnsafeBytes { unsafe try write($0, at: offset) }
            offset += part.count
        }
    }

    /// Writes all of `buffer` at `offset`.
    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        var count = 0
        while count < buffer.count {
            let byteCount = try faults?.writable(buffer.count - count) ?? buffer.count - count
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[count...].prefix(byteCount))
            let start = off_t(offset + count)
            count += try SystemError.check { unsafe pwrite(number, rest.baseAddress, rest.count, start) }
        }
    }

    /// Sets the time of the last use and, unless it is `nil`, that of the last change.
    func setTimes(access: FileTime, modification: FileTime? = nil) throws(SystemError) {
        try faults?.check(.setTimes)
        var times = [access.timespec, modification?.timespec ?? Self.unchanged]
        try SystemError.check { unsafe futimens(number, &times) }
    }

    /// Waits until no other open file of the same path is locked, and locks this one. A lock ends with its process.
    func lock() throws(SystemError) {
        try faults?.check(.lock)
        try SystemError.check { flock(number, LOCK_EX) }
    }

    /// Gives the lock back.
    func unlock() { _ = flock(number, LOCK_UN) }

    /// The first 64 KiB of a text file, of whatever length its status claims.
    static func text(of path: String) throws(SystemError) -> String {
        String(decoding: try FileDescriptor(FilePath(text: path), for: .reading).read(64 << 10), as: UTF8.self)
    }

    /// `O_NOATIME`, which Swift is not shown; only owners may ask for it.
    private static var quiet: Int32 {
        #if os(Linux)
            0o1_000_000
        #else
            0
        #endif
    }

    /// `UTIME_OMIT`, a macro that Swift cannot read.
    private static var unchanged: timespec {
        #if os(Linux)
            timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
        #else
            timespec(tv_sec: 0, tv_nsec: -2)
        #endif
    }
}
