import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How the process starts and ends.
package enum System {
    private static let stop = Mutex<(@Sendable (_ status: Int32) -> Void)?>(nil)

    /// Makes interruptions leave no temporary file and the terminal as `leave` makes it, and a closed pipe an error of writing.
    package static func endCleanlyOnSignals(leave: @escaping @Sendable () -> Void = Screen.leave) {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            handle(number) {
                if let stop = stop.withLock({ $0.take() }) { return stop(128 + number) }
                leave()
                TemporaryFile.removeAll { _exit(128 + number) }
            }
        }
    }

    /// Makes a stop from the keyboard leave the terminal as it was.
    package static func stopCleanlyOnSignal() { handle(SIGTSTP) { Screen.suspend() } }

    /// Has the first interruption run `stop` in place of ending the process; `nil` for none. The second one ends it.
    package static func stopOnInterruption(_ stop: (@Sendable (_ status: Int32) -> Void)?) {
        Self.stop.withLock { $0 = stop }
    }

    /// Runs `body` at each signal of this `number`.
    package static func handle(_ number: Int32, _ body: @escaping @Sendable () -> Void) {
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
    package static func endByClosedPipe() -> Never {
        TemporaryFile.removeAll {
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
            _exit(EXIT_FAILURE)
        }
    }

    /// Ends with `status`.
    package static func end(_ status: Int32) -> Never { exit(status) }
}

/// Why the system refused a call.
package struct SystemError: Error, CustomStringConvertible {
    private let code = errno

    /// The system's own words.
    package var description: String { unsafe String(cString: strerror(code)) }

    /// Whether nobody reads the other end.
    package var isClosedPipe: Bool { code == EPIPE }

    /// Whether a signal interrupted the call.
    package var isInterruption: Bool { code == EINTR }
}
