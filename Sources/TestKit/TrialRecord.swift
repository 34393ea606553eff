import DarkroomPlatform

/// The input that a contract tries on this thread. It is printed if a signal ends the process.
///
/// A plug-in that traps takes the process with it, so that no error could name the input.
enum TrialRecord {
    /// Runs `body`, which tries `input` with `plugin`. A trial within a trial adds its input to that of the outer one.
    static func naming<Result>(_ input: String, of plugin: String, _ body: () throws -> Result) rethrows -> Result {
        installHandlers
        let outer = unsafe pthread_getspecific(current)
        let start = unsafe outer.map { unsafe String(cString: $0.assumingMemoryBound(to: CChar.self)) + ", " }
        // Allocated by C, because a signal handler reads it.
        let copy = unsafe strdup((start ?? "\(plugin): ") + input)
        unsafe pthread_setspecific(current, copy)
        defer {
            unsafe pthread_setspecific(current, outer)
            unsafe free(copy)
        }
        return try body()
    }

    /// The text of the trial on each thread. A fault is handled on the thread that caused it.
    private static let current: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

    /// The handlers that were installed before, by signal. They are written once, before any signal is handled here.
    private nonisolated(unsafe) static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)

    private static let start: StaticString = "\nDarkroomTestKit: a signal ended a trial of "

    private static let installHandlers: Void = {
        _ = current
        for signal in signals {
            var action = sigaction()
            #if canImport(Glibc)
                unsafe action.__sigaction_handler.sa_handler = handle
            #elseif canImport(Musl)
                unsafe action.__sa_handler.sa_handler = handle
            #else
                unsafe action.__sigaction_u.__sa_handler = handle
            #endif
            action.sa_flags = SA_ONSTACK
            unsafe sigaction(signal, &action, previous + Int(signal))
        }
    }()

    /// Prints the text, and returns to the instruction that failed, which fails again and ends in the previous handler.
    private static let handle: @convention(c) (CInt) -> Void = { signal in
        if let text = unsafe pthread_getspecific(TrialRecord.current) {
            _ = unsafe write(STDERR_FILENO, TrialRecord.start.utf8Start, TrialRecord.start.utf8CodeUnitCount)
            _ = unsafe write(STDERR_FILENO, text, strlen(text))
            _ = unsafe write(STDERR_FILENO, "\n", 1)
        }
        unsafe sigaction(signal, TrialRecord.previous + Int(signal), nil)
    }
}
