/// A reading of `ContinuousClock` whose layout the compiler knows.
///
/// `ContinuousClock.Instant` is resilient: what contains one is copied by way of its metadata at run time, which takes
/// several times as long.
struct ClockReading: Comparable, Sendable {
    private static let origin = ContinuousClock.now

    private let sinceOrigin: Duration

    private init(sinceOrigin: Duration) { self.sinceOrigin = sinceOrigin }

    init(_ instant: ContinuousClock.Instant) { self.init(sinceOrigin: Self.origin.duration(to: instant)) }

    static var now: ClockReading { ClockReading(ContinuousClock.now) }

    var instant: ContinuousClock.Instant { Self.origin + sinceOrigin }

    static func < (left: ClockReading, right: ClockReading) -> Bool { left.sinceOrigin < right.sinceOrigin }

    static func - (left: ClockReading, right: ClockReading) -> Duration { left.sinceOrigin - right.sinceOrigin }

    static func + (reading: ClockReading, duration: Duration) -> ClockReading {
        ClockReading(sinceOrigin: reading.sinceOrigin + duration)
    }

    static func - (reading: ClockReading, duration: Duration) -> ClockReading {
        ClockReading(sinceOrigin: reading.sinceOrigin - duration)
    }
}
