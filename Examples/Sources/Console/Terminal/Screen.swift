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

    /// Draws `picture` over the previous one.
    package static func draw(_ picture: TerminalPicture, on terminal: TerminalSize) {
        state.withLock { FileDescriptor.standardOutput.show($0.draw(picture, on: terminal)) }
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

    /// Returns the text that replaces the previous image with `picture`. The first one also hides the cursor.
    package mutating func draw(_ picture: TerminalPicture, on terminal: TerminalSize) -> String {
        var start: String
        switch shown {
        case (picture.rowCount, terminal)?: start = "\r"
        // After a change of size, lines may have wrapped: start at the top.
        case .some: start = "\u{1B}[2J\u{1B}[H" + newLines(picture.rowCount)
        case nil: start = "\u{1B}[?25l\r" + newLines(picture.rowCount)
        }
        shown = (picture.rowCount, terminal)
        start += "\u{1B}[\(picture.rowCount)A"
        // Terminals that support synchronized output show everything between the markers at once.
        return "\u{1B}[?2026h" + start + picture.text + "\u{1B}[?2026l"
    }

    /// Returns the text that restores cursor and colours; empty if nothing was drawn.
    package mutating func leave() -> String {
        guard shown != nil else { return "" }
        shown = nil
        return "\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h"
    }

    private func newLines(_ count: Int) -> String { String(repeating: "\n", count: count) }
}
