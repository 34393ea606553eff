import DarkroomPlatform

/// The two clocks of a ``WorkClock``, in nanoseconds. Tests may provide others.
package struct WorkReadings: Sendable {
    /// Returns the time that has passed, which is never shorter than the work that was done meanwhile.
    package let passed: @Sendable () -> Int

    /// Returns the time for which the current thread has used a processor.
    package let worked: @Sendable () -> Int

    /// Creates readings of two clocks.
    package init(passed: @escaping @Sendable () -> Int, worked: @escaping @Sendable () -> Int) {
        (self.passed, self.worked) = (passed, worked)
    }

    /// The clocks of the system. That of `passed` is the one behind `ContinuousClock`, whose own interface takes several
    /// times as long.
    static let system = WorkReadings(
        passed: { SystemClock.nanoseconds(of: systemClock) },
        worked: { SystemClock.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) })

    /// The current thread.
    static var thread: UInt {
        unsafe withUnsafeBytes(of: pthread_self()) { thread in unsafe thread.loadUnaligned(as: UInt.self) }
    }

    #if os(Linux)
        private static let systemClock = CLOCK_BOOTTIME
    #else
        private static let systemClock = CLOCK_MONOTONIC
    #endif
}
