import Darkroom

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open file. The caller closes it explicitly.
package struct FileDescriptor: Sendable {
    /// The input of the process.
    package static let standardInput = FileDescriptor(number: 0)
    /// The stream for results, and nothing else.
    package static let standardOutput = FileDescriptor(number: 1)
    /// The stream for messages to the user.
    package static let standardError = FileDescriptor(number: 2)

    private let number: Int32

    private init(number: Int32) { self.number = number }

    /// Opens the file at `path` for reading.
    package init(reading path: String) throws(SystemError) {
        number = unsafe open(path.systemPath, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError() }
    }

    /// Creates a file at `path` with those permissions of `mode` that the process grants, and throws if one exists.
    init(creating path: String, mode: mode_t) throws(SystemError) {
        number = unsafe open(path.systemPath, O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, mode)
        guard number >= 0 else { throw SystemError() }
    }

    /// Opens the existing file at `path` for overwriting.
    package init(overwriting path: String) throws(SystemError) {
        number = unsafe open(path.systemPath, O_WRONLY | O_CLOEXEC | O_TRUNC)
        guard number >= 0 else { throw SystemError() }
    }

    /// The identity of the file; `nil` if it is not a regular file.
    package var identity: FileIdentity? { FileIdentity(ofDescriptor: number) }

    /// Returns whether `path` is a name of this file or pipe, as `/dev/stdout` is of standard output. Devices do not count,
    /// because writing to one is the same under each of its names.
    package func isFile(at path: String) -> Bool {
        var own = stat()
        var other = stat()
        guard unsafe fstat(number, &own) == 0, unsafe stat(path.systemPath, &other) == 0 else { return false }
        let isDevice = [S_IFCHR, S_IFBLK].contains(own.st_mode & S_IFMT)
        return !isDevice && own.st_dev == other.st_dev && own.st_ino == other.st_ino
    }

    /// Whether the file is a terminal.
    package var isTerminal: Bool { isatty(number) == 1 }

    /// Returns the remaining bytes. Stops soon after `limit` bytes.
    package func contents(upTo limit: Int) throws(SystemError) -> Data {
        var contents = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while contents.count <= limit {
            let count = unsafe read(number, &buffer, buffer.count)
            if count == 0 { break }
            if count > 0 { contents += buffer[..<count] } else { try wait(for: POLLIN, after: SystemError()) }
        }
        return contents
    }

    /// Returns the next bytes as soon as there are any; empty at the end.
    package func someBytes() throws(SystemError) -> ArraySlice<UInt8> {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(number, &buffer, buffer.count)
            if count >= 0 { return buffer[..<count] }
            try wait(for: POLLIN, after: SystemError())
        }
    }

    /// Writes all of `data`.
    package func write(_ data: Data) throws(SystemError) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe libcWrite(number, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else { try wait(for: POLLOUT, after: SystemError()) }
        }
    }

    /// Writes all of `data`, and closes the file even if that fails. If it is about to replace another `file`, it takes the
    /// permissions of that, and its bytes reach the disk first: a power failure must not cost both.
    func finish(with data: Data, replacing file: ReplacedFile? = nil) throws(SystemError) {
        do throws(SystemError) {
            try write(data)
            if let file {
                takePermissions(of: file)
                try flush()
            }
        } catch {
            // The first error is reported, not one of closing.
            try? close()
            throw error
        }
        try close()
    }

    /// Takes the permissions, the access control list, the group and the owner of `file`, as far as the process and the file
    /// system allow.
    private func takePermissions(of file: ReplacedFile) {
        let hasGroup = fchown(number, .max, file.status.st_gid) == 0
        // The permissions of that group are not meant for another one. With a list, they are the most that it permits anyone,
        // and the group itself may have fewer.
        let keepsGroup = hasGroup && file.copyAccessList(to: number)
        _ = fchmod(number, file.status.st_mode & (keepsGroup ? 0o777 : 0o707))
        // Only root may give a file away.
        _ = fchown(number, file.status.st_uid, .max)
    }

    private func flush() throws(SystemError) {
        while fsync(number) != 0 {
            let error = SystemError()
            guard error.isInterruption else { throw error }
        }
    }

    /// Returns when the call that failed with `error` can be repeated: at once after an interruption, and when the file is
    /// ready for `events` if another program has made it non-blocking. Throws any other error.
    private func wait(for events: Int32, after error: SystemError) throws(SystemError) {
        guard !error.isInterruption else { return }
        guard error.isNotReady else { throw error }
        var descriptor = pollfd(fd: number, events: Int16(events), revents: 0)
        guard unsafe poll(&descriptor, 1, -1) < 0 else { return }
        let failure = SystemError()
        guard failure.isInterruption else { throw failure }
    }

    /// The size of the terminal; `nil` when it is not a terminal or does not report its size.
    package var terminalSize: TerminalSize? {
        var size = winsize()
        guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        let (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
        let cell = PixelSize(Int(size.ws_xpixel) / columns, Int(size.ws_ypixel) / rows)
        return TerminalSize(columns: columns, rows: rows, cell: cell.width > 0 && cell.height > 0 ? cell : nil)
    }

    /// Returns whether the file accepts bytes within `time`.
    package func isWritable(within time: Duration) -> Bool {
        var descriptor = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        let count = unsafe poll(&descriptor, 1, Int32(time / .milliseconds(1)))
        return count == 1 && Int32(descriptor.revents) & POLLOUT != 0
    }

    /// Writes `text` unchanged.
    package func write(_ text: String) throws(SystemError) { try write(Data(text.utf8)) }

    /// Writes a line, escaping the control characters that a terminal would act on. Ends the process if that fails.
    package func print(_ line: String) { show(line.printable + "\n") }

    /// Writes each line of `text` as `print` does.
    package func printLines(of text: String) {
        for line in text.fields(separatedBy: UInt8(ascii: "\n")) { print(String(line)) }
    }

    /// Writes `text` unchanged. Ends the process if that fails: as usual for a closed pipe, or else with an error about
    /// standard output and status 1.
    package func show(_ text: String) {
        do {
            try write(text)
        } catch  where error.isClosedPipe {
            System.endByClosedPipe()
        } catch {
            System.endByFailedWrite(number == Self.standardOutput.number ? error : nil)
        }
    }

    /// Returns whether there is anything at `path`.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path.systemPath, &status) == 0
    }

    /// Returns the number of bytes of the regular file at `path`; `nil` if there is none.
    static func byteCount(ofFileAt path: String) -> Int? {
        var status = stat()
        guard unsafe stat(path.systemPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Returns whether `path` refers to something that stores no bytes, such as a device or a pipe.
    package static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path.systemPath, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Closes the file. An error can mean that bytes were lost.
    package func close() throws(SystemError) {
        guard libcClose(number) == 0 else { throw SystemError() }
    }
}

// Inside the type, its own methods hide the system's functions of the same name.
private func libcWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(number, bytes, count)
}

private func libcClose(_ number: Int32) -> Int32 { close(number) }
