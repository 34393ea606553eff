import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How the process starts and ends.
enum System {
    /// Makes interruptions leave no temporary file and the terminal as it was, and a closed pipe an error of writing.
    static func endCleanlyOnSignals() {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            handle(number) {
                Screen.leave()
                TemporaryFile.removeAll { _exit(128 + number) }
            }
        }
    }

    /// Makes a stop from the keyboard leave the terminal as it was.
    static func stopCleanlyOnSignal() { handle(SIGTSTP) { Screen.suspend() } }

    private static func handle(_ number: Int32, _ body: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            // Nobody else holds the source.
            _ = source
            body()
        }
        #if canImport(Darwin)
            signal(number, SIG_IGN)
        #endif
        // Elsewhere the source brings a handler of its own, at a time of its own, which must not be undone.
        source.activate()
    }

    /// Ends as a process does whose reader went away.
    static func endByClosedPipe() -> Never {
        TemporaryFile.removeAll {
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
            _exit(ExitStatus.failure)
        }
    }

    /// Ends with `status`.
    static func end(_ status: Int32) -> Never { exit(status) }
}

/// Why the system refused a call.
struct SystemError: Error, CustomStringConvertible {
    private let code = errno

    /// The system's own words.
    var description: String { unsafe String(cString: strerror(code)) }

    /// Whether nobody reads the other end.
    var isClosedPipe: Bool { code == EPIPE }

    /// Whether a signal interrupted the call.
    var isInterruption: Bool { code == EINTR }
}
