import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A terminal without a screen, in which a program can run once, and whose output can be read.
struct PseudoTerminal {
    /// The end of the test.
    private let controller: FileHandle
    /// The end of the program.
    private let terminal: FileHandle

    init(columns: Int, rows: Int) throws {
        var (first, second): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard unsafe openpty(&first, &second, nil, nil, &size) == 0 else { throw CocoaError(.fileReadUnknown) }
        // Programs that other tests start at the same time must not inherit the terminal, and so keep it open.
        for number in [first, second] { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        controller = FileHandle(fileDescriptor: first, closeOnDealloc: true)
        terminal = FileHandle(fileDescriptor: second, closeOnDealloc: true)
    }

    /// Runs `command` in the terminal, and returns its exit status and output. `watch` receives the output so far each
    /// time there is more.
    func run(
        _ arguments: [String], command: String = "darkroom", watch: (String, Process) -> Void = { _, _ in }
    ) async throws -> (Int32, String) {
        let process = Process()
        process.environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "HOME": NSTemporaryDirectory()]
        process.standardOutput = terminal
        process.standardError = terminal
        process.standardInput = FileHandle.nullDevice
        var output = Data()
        let status = try await process.runDarkroom(arguments, command: command) {
            // From now on only the program has the terminal open, so the output ends when the program does.
            try terminal.close()
            for await bytes in chunks {
                output += bytes
                watch(String(decoding: output, as: UTF8.self), process)
            }
        }
        return (status, String(decoding: output, as: UTF8.self))
    }

    /// The output, read by a thread of its own, because reading blocks until there is more.
    private var chunks: AsyncStream<ArraySlice<UInt8>> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let bytes = nextBytes() { continuation.yield(bytes) }
                continuation.finish()
            }
        }
    }

    /// Returns the next bytes as soon as there are any; `nil` at the end of the output, which Linux reports as `EIO`.
    private func nextBytes() -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(controller.fileDescriptor, &buffer, buffer.count)
            if count > 0 { return buffer[..<count] }
            guard count < 0, errno == EINTR else { return nil }
        }
    }
}
