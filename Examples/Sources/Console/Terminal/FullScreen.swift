import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The whole terminal, whose contents come back when it is left.
package enum FullScreen {
    // Whoever writes to it holds the lock, so that an interruption never falls into a frame.
    private static let state = Mutex(FullScreenState())

    /// Shows `lines` from the top on, as many as there are rows; the first time, it takes the terminal over.
    package static func draw(_ lines: [String]) {
        state.withLock { state in
            if !state.isEntered { TerminalInput.takeKeys() }
            FileDescriptor.standardOutput.show(state.draw(lines))
        }
    }

    /// Makes the next frame be drawn whole, as after a change of size.
    package static func forget() { state.withLock { $0.forget() } }

    /// Brings back the terminal as it was. Called before the process ends, it waits for nothing for long.
    package static func leave() {
        for _ in 0..<200 {
            if state.withLockIfAvailable({ leave(&$0) }) != nil { return }
            usleep(1000)
        }
    }

    /// Leaves it, and stops the process until it is continued; the next frame takes the terminal over again.
    package static func suspend() {
        state.withLock {
            leave(&$0)
            raise(SIGSTOP)
        }
    }

    private static func leave(_ state: inout FullScreenState) {
        let text = state.leave()
        guard !text.isEmpty else { return }
        TerminalInput.giveKeysBack()
        guard FileDescriptor.standardOutput.isWritable(within: .milliseconds(200)) else { return }
        // Without a terminal there is nothing to mend.
        try? FileDescriptor.standardOutput.write(text)
    }
}

/// What the whole terminal shows, and the text that changes it.
struct FullScreenState {
    private(set) var isEntered = false
    private var shown: [String] = []

    /// The text that changes what is shown into `lines`.
    mutating func draw(_ lines: [String]) -> String {
        // The other screen, without a cursor, and without going on in the next row.
        var text = isEntered ? "" : "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
        if shown.isEmpty { text += "\u{1B}[2J" }
        for (index, line) in lines.enumerated() where index >= shown.count || shown[index] != line {
            text += "\u{1B}[\(index + 1);1H\(line)\u{1B}[0m\u{1B}[K"
        }
        (isEntered, shown) = (true, lines)
        return text.isEmpty ? "" : "\u{1B}[?2026h\(text)\u{1B}[?2026l"
    }

    mutating func forget() { shown = [] }

    /// The text that brings back the terminal; none when it was not taken.
    mutating func leave() -> String {
        guard isEntered else { return "" }
        (isEntered, shown) = (false, [])
        return "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    }
}

/// The keyboard: each key comes at once, and none is shown.
private enum TerminalInput {
    private static let usual = Mutex<termios?>(nil)

    static func takeKeys() {
        var settings = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        usual.withLock { $0 = settings }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    static func giveKeysBack() {
        guard var settings = usual.withLock({ $0.take() }) else { return }
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}
