import DarkroomPlatform

/// The clocks of the system, by their numbers.
enum SystemClock {
    /// Returns the reading of `clock` in nanoseconds; 0 if there is no such clock.
    static func nanoseconds(of clock: clockid_t) -> Int {
        // A `timespec`, whose members the compiler does not find in an optimizing build with warnings as errors: it takes
        // them for those of a module that cannot be imported.
        var reading = (seconds: 0, nanoseconds: 0)
        let status = unsafe withUnsafeMutablePointer(to: &reading) { pointer in
            unsafe pointer.withMemoryRebound(to: timespec.self, capacity: 1) { unsafe clock_gettime(clock, $0) }
        }
        return status == 0 ? reading.seconds * 1_000_000_000 + reading.nanoseconds : 0
    }
}
