import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The rows of the terminal above the cursor, on which one picture is drawn over the other.
package enum Screen {
    // Whoever writes to it holds the lock, so that an interruption never falls into a picture.
    private static let state = Mutex(ScreenState())

    /// Draws `picture` over the one before.
    package static func draw(_ picture: TerminalPicture, on terminal: TerminalSize) {
        state.withLock { FileDescriptor.standardOutput.show($0.draw(picture, on: terminal)) }
    }

    /// Leaves the terminal as it was, and the last picture on it.
    ///
    /// A terminal that takes nothing more does not hold this up for long: it is called before the process ends.
    package static func leave() {
        for _ in 0..<200 {
            if state.withLockIfAvailable({ write($0.leave()) }) != nil { return }
            usleep(1000)
        }
    }

    /// Leaves the terminal as it was, and stops the process until it is continued.
    package static func suspend() {
        state.withLock {
            write($0.leave())
            raise(SIGSTOP)
        }
    }

    private static func write(_ text: String) {
        guard !text.isEmpty, FileDescriptor.standardOutput.isWritable(within: .milliseconds(200)) else { return }
        // Without a terminal there is nothing to mend.
        try? FileDescriptor.standardOutput.write(text)
    }
}

/// What the terminal shows, and the text that changes it.
package struct ScreenState {
    private var shown: (rowCount: Int, terminal: TerminalSize)?

    /// The text that shows `picture` in place of the one before; the first also hides the cursor.
    package mutating func draw(_ picture: TerminalPicture, on terminal: TerminalSize) -> String {
        var start: String
        switch shown {
        case (picture.rowCount, terminal)?: start = "\r"
        // Lines may have been broken: begin at the top.
        case .some: start = "\u{1B}[2J\u{1B}[H" + newLines(picture.rowCount)
        case nil: start = "\u{1B}[?25l\r" + newLines(picture.rowCount)
        }
        shown = (picture.rowCount, terminal)
        start += "\u{1B}[\(picture.rowCount)A"
        // Terminals that know it show everything up to its end at once.
        return "\u{1B}[?2026h" + start + picture.text + "\u{1B}[?2026l"
    }

    /// The text that brings cursor and colours back; none when nothing was drawn.
    package mutating func leave() -> String {
        guard shown != nil else { return "" }
        shown = nil
        return "\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h"
    }

    private func newLines(_ count: Int) -> String { String(repeating: "\n", count: count) }
}
