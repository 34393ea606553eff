import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The terminal's alternate screen. Leaving it restores the previous contents.
package enum FullScreen {
    // Writing requires the lock, so that an interruption never splits a frame.
    private static let state = Mutex(FullScreenState())

    /// Shows `lines` from the top, as many as there are rows. The first call enters the alternate screen.
    package static func draw(_ lines: [String]) {
        state.withLock { state in
            if !state.isEntered { TerminalInput.enterRawMode() }
            FileDescriptor.standardOutput.show(state.draw(lines))
        }
    }

    /// Makes the next frame a complete redraw, as after a change of size.
    package static func invalidate() { state.withLock { $0.invalidate() } }

    /// Restores the terminal. It never blocks for long, because it is called before the process ends.
    package static func leave() {
        for _ in 0..<200 {
            if state.withLockIfAvailable({ leave(&$0) }) != nil { return }
            usleep(1000)
        }
    }

    /// Leaves the alternate screen, and suspends the process. The next frame enters it again.
    package static func suspend() {
        state.withLock {
            leave(&$0)
            raise(SIGSTOP)
        }
    }

    private static func leave(_ state: inout FullScreenState) {
        let text = state.leave()
        guard !text.isEmpty else { return }
        TerminalInput.leaveRawMode()
        guard FileDescriptor.standardOutput.isWritable(within: .milliseconds(200)) else { return }
        // If the terminal is gone, there is nothing to restore.
        try? FileDescriptor.standardOutput.write(text)
    }
}

/// The contents of the alternate screen, and the escape sequences that change them.
struct FullScreenState {
    private(set) var isEntered = false
    private var shown: [String] = []

    /// Returns the text that replaces the current contents with `lines`.
    mutating func draw(_ lines: [String]) -> String {
        // The alternate screen, without cursor and line wrapping.
        var text = isEntered ? "" : "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
        if shown.isEmpty { text += "\u{1B}[2J" }
        for (index, line) in lines.enumerated() where index >= shown.count || shown[index] != line {
            text += "\u{1B}[\(index + 1);1H\(line)\u{1B}[0m\u{1B}[K"
        }
        (isEntered, shown) = (true, lines)
        return text.isEmpty ? "" : "\u{1B}[?2026h\(text)\u{1B}[?2026l"
    }

    mutating func invalidate() { shown = [] }

    /// Returns the text that restores the terminal; empty if the alternate screen is not in use.
    mutating func leave() -> String {
        guard isEntered else { return "" }
        (isEntered, shown) = (false, [])
        return "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    }
}

/// The keyboard in unbuffered mode: each key is delivered immediately and not echoed.
private enum TerminalInput {
    private static let usual = Mutex<termios?>(nil)

    static func enterRawMode() {
        var settings = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        usual.withLock { $0 = settings }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    static func leaveRawMode() {
        guard var settings = usual.withLock({ $0.take() }) else { return }
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}
