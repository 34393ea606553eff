package import DarkroomPlatform

/// An open file, closed by `deinit`.
package final class FileDescriptor: Sendable {
    /// The mode in which a file is opened.
    package enum Mode {
        case reading
        /// Reading somebody else's file, which updates its access time.
        case visiting
        /// Reading, without following a symbolic link.
        case inspecting
        /// Writing a file that must not exist.
        case creating
        /// Reading and writing, without following a symbolic link.
        case changing
        /// Like `changing`, and creates the file if necessary.
        case updating

        // Without `O_NONBLOCK`, opening a named pipe would block. It has no effect on regular files.
        fileprivate var flags: Int32 {
            switch self {
            case .reading: O_RDONLY | O_CLOEXEC | O_NONBLOCK | noAccessTimeFlag
            // The path may be that of a terminal.
            case .visiting: O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
            case .inspecting: O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | noAccessTimeFlag
            case .creating: O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL | noAccessTimeFlag
            case .changing: O_RDWR | O_CLOEXEC | O_NOFOLLOW | noAccessTimeFlag
            case .updating: O_RDWR | O_CLOEXEC | O_CREAT | O_NOFOLLOW | noAccessTimeFlag
            }
        }

        fileprivate var call: FileOperation { self == .creating ? .create : .open }

        fileprivate var isWriting: Bool { [.creating, .changing, .updating].contains(self) }
    }

    private let number: Int32
    private let faults: FileFaults?

    /// Opens the file at `path`. A new file is accessible only to its owner.
    ///
    /// On Linux, reading a file as its owner does not update its access time.
    package init(_ path: FilePath, for mode: Mode) throws(SystemError) {
        faults = path.faults
        do {
            number = unsafe try path.call(mode.call) { unsafe open($0, mode.flags, 0o600) }
        } catch let error where error.code == EPERM && mode.flags & noAccessTimeFlag != 0 {
            number = unsafe try path.call(mode.call) { unsafe open($0, mode.flags & ~noAccessTimeFlag, 0o600) }
        }
        if mode.isWriting { faults?.note(.open(path: path, file: number)) }
    }

    deinit { close(number) }

    /// Returns the status of the file.
    package func status() throws(SystemError) -> FileStatus {
        var status = stat()
        try SystemError.check(.status, faults) { _ in unsafe fstat(number, &status) }
        return FileStatus(status)
    }

    /// Reads up to `byteCount` bytes from `offset`; fewer only at the end of the file.
    package func read(_ byteCount: Int, at offset: Int = 0) throws(SystemError) -> Data {
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

    /// Fills `buffer` from `offset`, and returns the number of bytes read; fewer than requested only at the end of the
    /// file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let start = off_t(offset + count)
            let added = try SystemError.check(.read, faults) { _ in
                unsafe pread(number, rest.baseAddress, rest.count, start)
            }
            guard added > 0 else { break }
            count += added
        }
        return count
    }

    /// Writes the concatenated `parts` from the start of the file.
    package func write(_ parts: [Data]) throws {
        var offset = 0
        for part in parts {
            unsafe try part.withUnsafeBytes { unsafe try write($0, at: offset) }
            offset += part.count
        }
    }

    /// Writes all of `buffer` at `offset`.
    package func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        var count = 0
        while count < buffer.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[count...])
            let start = off_t(offset + count)
            let added = try SystemError.check(.write, faults, byteCount: rest.count) { byteCount in
                unsafe pwrite(number, rest.baseAddress, byteCount, start)
            }
            if let faults, faults.isRecording {
                faults.note(.write(file: number, bytes: unsafe Data(rest.prefix(added)), offset: offset + count))
            }
            count += added
        }
    }

    /// Reserves disk space for the first `byteCount` bytes. The file has them then, as zeros where nothing was written.
    package func reserve(_ byteCount: Int) throws(SystemError) {
        try SystemError.check(.reserve, faults) { _ in
            #if canImport(Darwin)
                errno = ENOTSUP
            #else
                // It returns the error.
                errno = posix_fallocate(number, 0, off_t(byteCount))
            #endif
            return errno == 0 ? 0 : -1
        }
        faults?.note(.reserve(file: number, byteCount: byteCount))
    }

    /// Sets the length of the file. What is added to it takes no disk space.
    package func setLength(_ byteCount: Int) throws(SystemError) {
        try SystemError.check(.setLength, faults) { _ in ftruncate(number, off_t(byteCount)) }
        faults?.note(.setLength(file: number, byteCount: byteCount))
    }

    /// Sets the access time and, unless it is `nil`, the modification time.
    package func setTimes(access: FileTime, modification: FileTime? = nil) throws(SystemError) {
        var times = [access.timespec, modification?.timespec ?? Self.omittedTime]
        try SystemError.check(.setTimes, faults) { _ in unsafe futimens(number, &times) }
        faults?.note(.setTimes(file: number, access: access, modification: modification))
    }

    /// Locks the file, after waiting up to `limit` for locks of other descriptors. The lock ends with the process.
    ///
    /// - Throws: An error with the code `EWOULDBLOCK` if another lock lasts longer.
    package func lock(within limit: Duration) throws(SystemError) { try lock(LOCK_EX, within: limit) }

    /// Does the same, but only exclusive locks exclude this one.
    package func lockShared(within limit: Duration) throws(SystemError) { try lock(LOCK_SH, within: limit) }

    private func lock(_ operation: Int32, within limit: Duration) throws(SystemError) {
        let end = ContinuousClock.now + limit
        var pause: UInt32 = 50
        while true {
            do throws(SystemError) {
                try SystemError.check(.lock, faults) { _ in flock(number, operation | LOCK_NB) }
                return
            } catch let error where error.code == EWOULDBLOCK && ContinuousClock.now < end {
                // The system cannot wait for a lock for a limited time.
                usleep(pause)
                pause = min(2 * pause, 2_000)
            }
        }
    }

    /// Releases the lock.
    package func unlock() { _ = flock(number, LOCK_UN) }

    /// `UTIME_OMIT`, a macro that is not imported into Swift.
    private static var omittedTime: timespec {
        #if os(Linux)
            timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
        #else
            timespec(tv_sec: 0, tv_nsec: -2)
        #endif
    }
}

/// `O_NOATIME`, which is not imported into Swift. Only the owner of a file may use it.
private var noAccessTimeFlag: Int32 {
    #if os(Linux)
        0o1_000_000
    #else
        0
    #endif
}
