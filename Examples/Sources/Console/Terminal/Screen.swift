import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The rows of the terminal above the cursor, where each image is drawn over the previous one.
package enum Screen {
    // Writing requires the lock, so that an interruption never splits an image.
    private static let state = Mutex(ScreenState())

    /// Draws `image` over the previous one.
    package static func draw(_ image: TerminalImage, on terminal: TerminalSize) {
        state.withLock { FileDescriptor.standardOutput.show($0.draw(image, on: terminal)) }
    }

    /// Restores the terminal, and leaves the last image visible.
    ///
    /// It does not wait long for a terminal that accepts no output, because it is called before the process ends.
    package static func leave() {
        for _ in 0..<200 {
            if state.withLockIfAvailable({ write($0.leave()) }) != nil { return }
            usleep(1000)
        }
    }

    /// Restores the terminal, and suspends the process.
    package static func suspend() {
        state.withLock {
            write($0.leave())
            raise(SIGSTOP)
        }
    }

    private static func write(_ text: String) {
        guard !text.isEmpty, FileDescriptor.standardOutput.isWritable(within: .milliseconds(200)) else { return }
        // If the terminal is gone, there is nothing to restore.
        try? FileDescriptor.standardOutput.write(text)
    }
}

/// The state of the terminal, and the escape sequences that change it.
package struct ScreenState {
    private var shown: (rowCount: Int, terminal: TerminalSize)?

    /// Returns the text that replaces the previous image with `image`. The first one also hides the cursor.
    package mutating func draw(_ image: TerminalImage, on terminal: TerminalSize) -> String {
        var start: String
        switch shown {
        case (image.rowCount, terminal)?: start = "\r"
        // After a change of size, lines may have wrapped: start at the top.
        case .some: start = "\u{1B}[2J\u{1B}[H" + newLines(image.rowCount)
        case nil: start = "\u{1B}[?25l\r" + newLines(image.rowCount)
        }
        shown = (image.rowCount, terminal)
        start += "\u{1B}[\(image.rowCount)A"
        // Terminals that support synchronized output show everything between the markers at once.
        return "\u{1B}[?2026h" + start + image.text + "\u{1B}[?2026l"
    }

    /// Returns the text that restores cursor and colours; empty if nothing was drawn.
    package mutating func leave() -> String {
        guard shown != nil else { return "" }
        shown = nil
        return "\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h"
    }

    private func newLines(_ count: Int) -> String { String(repeating: "\n", count: count) }
}
