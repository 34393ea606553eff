package import DarkroomPlatform

/// A point in time with the resolution of file systems.
package struct FileTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970. A time after the year 2262 wraps around, and so counts as long ago.
    package let nanoseconds: Int

    /// Creates the time `nanoseconds` after 1970.
    package init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

    private static let zero = FileTime(nanoseconds: 0)

    /// The current time.
    package static var now: FileTime {
        var time = Self.zero.timespec
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(time)
    }

    /// The time at which the system started, by its current clock. A clock that is set later moves it.
    package static var systemStart: FileTime {
        var time = Self.zero.timespec
        #if os(Linux)
            unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        #else
            unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return FileTime(nanoseconds: now.nanoseconds &- FileTime(time).nanoseconds)
    }

    /// Returns the time `seconds` after this one.
    package func advanced(bySeconds seconds: Int) -> FileTime {
        FileTime(nanoseconds: nanoseconds &+ seconds &* 1_000_000_000)
    }

    /// Returns the duration from `other` to this time.
    package func duration(since other: FileTime) -> Duration { .nanoseconds(nanoseconds &- other.nanoseconds) }

    package static func < (left: FileTime, right: FileTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension FileTime {
    init(_ time: timespec) { nanoseconds = Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec) }

    /// The representation for system calls.
    var timespec: timespec {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0
            ? .init(tv_sec: seconds - 1, tv_nsec: rest + 1_000_000_000) : .init(tv_sec: seconds, tv_nsec: rest)
    }
}

extension Date {
    /// Creates the date of a file time.
    package init(_ time: FileTime) { self.init(timeIntervalSince1970: Double(time.nanoseconds) / 1e9) }
}
