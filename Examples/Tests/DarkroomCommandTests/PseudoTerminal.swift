import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A terminal without a screen, whose output can be read.
struct PseudoTerminal {
    private let controller: FileHandle
    private let terminal: FileHandle

    init(columns: Int, rows: Int) throws {
        var (first, second): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard unsafe openpty(&first, &second, nil, nil, &size) == 0 else { throw CocoaError(.fileReadUnknown) }
        controller = FileHandle(fileDescriptor: first, closeOnDealloc: true)
        terminal = FileHandle(fileDescriptor: second, closeOnDealloc: true)
    }

    /// Runs `darkroom` in it. `watch` receives all output so far, each time there is more.
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
            // The other end stays open here, so that nothing is lost when the process ends.
            var isRunning = true
            while isRunning {
                isRunning = process.isRunning
                while let bytes = bytesSoon() {
                    output += bytes
                    watch(String(decoding: output, as: UTF8.self), process)
                }
            }
        }
        return (status, String(decoding: output, as: UTF8.self))
    }

    /// Returns the bytes written in the meantime; `nil` if there are none for a while.
    private func bytesSoon() -> ArraySlice<UInt8>? {
        var descriptor = pollfd(fd: controller.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&descriptor, 1, 50) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe read(controller.fileDescriptor, &buffer, buffer.count)
        return count > 0 ? buffer[..<count] : nil
    }
}
