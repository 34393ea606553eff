#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The time that callbacks of this module take on the main thread, which cannot draw meanwhile.
public enum MainThread {
    /// One call of a signal handler or source.
    public struct Callback: Sendable {
        /// The name of the signal or source.
        public let name: String

        /// The time from the call to the return.
        public let duration: Duration

        /// The processor time within that, which does not count when other threads had the processor.
        public let processorTime: Duration
    }

    /// Called after each callback; `nil`, the default, measures nothing.
    @MainActor public static var observer: ((Callback) -> Void)?

    /// Calls `body`, which GTK or GLib has called on the main thread, and measures it.
    static func measure<Result: Sendable>(_ name: String, _ body: @MainActor () -> Result) -> Result {
        MainActor.assumeIsolated {
            guard let observer else { return body() }
            let start = ContinuousClock.now
            let processorStart = processorTime
            let result = body()
            observer(
                Callback(
                    name: name, duration: start.duration(to: .now), processorTime: processorTime - processorStart))
            return result
        }
    }

    /// The processor time of this thread so far.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
