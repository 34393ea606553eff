#if os(Linux)
    import DarkroomPlatform

    /// How a worker process has ended.
    enum WorkerEnd: Hashable {
        case signal(Int32)
        case status(Int32)
        /// It has closed its channel, and went on.
        case closedChannel
        /// Another part of the program has waited for it.
        case unknown

        /// Creates the end with a wait status, or a negative error number.
        init(_ status: Int32) {
            self = status < 0 ? .unknown : status & 0x7f == 0 ? .status(status >> 8 & 0xff) : .signal(status & 0x7f)
        }

        private static let names: [Int32: String] = [
            SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL",
            SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGTRAP: "SIGTRAP", SIGXCPU: "SIGXCPU",
        ]

        /// The name of the signal, or the status.
        var description: String {
            switch self {
            case .signal(let number): Self.names[number] ?? "signal \(number)"
            case .status(let number): "status \(number)"
            case .closedChannel: "a closed channel"
            case .unknown: "an unknown status"
            }
        }
    }

    /// The end of a worker process before it has replied.
    struct WorkerLoss: Error {
        /// Why, as the rest of a sentence about the worker process.
        let reason: String

        /// Whether it had ended before it was called, so that the call is not at fault.
        var isEarlier = false

        /// Whether something outside has killed it, such as the kernel when memory is short.
        var isKill = false

        /// The end for the statistics.
        var end: WorkerEnd?

        init(_ reason: String, isEarlier: Bool = false) { (self.reason, self.isEarlier) = (reason, isEarlier) }

        init(_ end: WorkerEnd, isEarlier: Bool = false) {
            reason = "it ended with \(end.description)"
            self.isEarlier = isEarlier
            self.end = end
            isKill = end == .signal(SIGKILL)
        }
    }
#endif
