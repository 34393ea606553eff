import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The start and the end of the process, and its signals.
package enum System {
    private static let stop = Mutex<(@Sendable (_ status: Int32) -> Void)?>(nil)

    /// Handles interruptions, other than ignored ones, by removing temporary files and restoring the terminal with `leave`,
    /// and turns a closed pipe into a write error.
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

    /// Restores the terminal when the process is suspended from the keyboard.
    package static func stopCleanlyOnSignal() { handle(SIGTSTP) { Screen.suspend() } }

    /// Makes the first interruption call `stop` instead of ending the process; `nil` restores the default. The second
    /// interruption ends the process.
    package static func stopOnInterruption(_ stop: (@Sendable (_ status: Int32) -> Void)?) {
        Self.stop.withLock { $0 = stop }
    }

    /// Runs `body` on each signal with this `number`. A signal that the process was started to ignore stays ignored.
    package static func handle(_ number: Int32, _ body: @escaping @Sendable () -> Void) {
        guard !isIgnored(number) else { return }
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            // Retains the source, which nothing else references.
            _ = source
            body()
        }
        #if canImport(Darwin)
            signal(number, SIG_IGN)
        #endif
        // On Darwin the source installs its own handler asynchronously, and ignoring the signal must not undo that.
        source.activate()
    }

    /// Returns whether the signal is ignored, which nohup and shells arrange for programs that run in the background.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        // Each cast has this reason: functions cannot be compared, and SIG_IGN is a number in the place of one.
        #if canImport(Glibc)
            let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        #elseif canImport(Musl)
            let handler = unsafe unsafeBitCast(action.__sa_handler.sa_handler, to: Int.self)
        #else
            let handler = unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
        #endif
        return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Ends the process as the default action of SIGPIPE does.
    package static func endByClosedPipe() -> Never {
        TemporaryFile.removeAll {
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
            _exit(EXIT_FAILURE)
        }
    }

    /// Ends the process with status 1. The sentence about `error`, a failure to write to standard output, is printed;
    /// `nil` if there is nowhere to print it.
    static func endByFailedWrite(_ error: SystemError?) -> Never {
        TemporaryFile.removeAll {
            if let error {
                let name = arguments.first?.fields(separatedBy: UInt8(ascii: "/")).last ?? ""
                let sentence = "\(name): standard output cannot be written: \(error)"
                try? FileDescriptor.standardError.write(sentence.printable + "\n")
            }
            exit(EXIT_FAILURE)
        }
    }

    /// The arguments of the process, the first of which is its path. They need not be valid UTF-8.
    package static var arguments: [String] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
            return unsafe String(systemBytes: UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
        }
    }

    /// Ends the process with `status`.
    package static func end(_ status: Int32) -> Never { exit(status) }
}

/// An error of a system call.
package struct SystemError: Error, CustomStringConvertible {
    private let code = errno

    /// The step that failed, if it concerned another path than the one that the user gave.
    var operation: String?

    /// The system's description of the error, after that of the step.
    package var description: String {
        let reason = unsafe String(cString: strerror(code))
        return operation.map { "\($0): \(reason)" } ?? reason
    }

    /// Whether the other end of a pipe is closed.
    package var isClosedPipe: Bool { code == EPIPE }

    /// Whether a signal interrupted the call.
    package var isInterruption: Bool { code == EINTR }

    /// Whether a file that does not block has no bytes or no room yet.
    var isNotReady: Bool { code == EAGAIN }
}
