import DarkroomPlatform
import Synchronization

/// The moment at which a loader was called. Of two responses of one source, the one whose load began later is newer.
///
/// It is a time of the wall clock, so that the processes that share a cache can compare it. No two moments of one
/// process are equal.
public struct LoadMoment: Hashable, Comparable, Sendable {
    private static let last = Atomic<Int64>(0)
    /// The time in which the range ends, in the year 2262, less 2⁴⁰ moments that are later all the same.
    private static let latestTime = Int64.max - 1 << 40

    /// The number of nanoseconds since 1970.
    public let nanoseconds: Int64

    /// Creates the moment `nanoseconds` after the start of 1970.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Creates the moment of `date`, or of the start of 1970 if it is out of range.
    init(_ date: Date) {
        nanoseconds = Int64(exactly: (date.timeIntervalSince1970 * 1e9).rounded()) ?? 0
    }

    /// Returns the current moment, which is later than all moments that this process took before.
    public static func now() -> LoadMoment {
        let time = time(of: .now)
        var last = last.load(ordering: .relaxed)
        while true {
            let next = max(time, last &+ 1)
            let (exchanged, original) = Self.last.compareExchange(expected: last, desired: next, ordering: .relaxed)
            if exchanged { return LoadMoment(nanoseconds: next) }
            last = original
        }
    }

    /// Returns the number of nanoseconds from 1970 to `date`, if that is within the range, and otherwise the nearest one.
    static func time(of date: Date) -> Int64 {
        min(Int64(saturating: date.timeIntervalSince1970 * 1e9), latestTime)
    }

    /// Returns whether `left` is earlier than `right`.
    public static func < (left: LoadMoment, right: LoadMoment) -> Bool { left.nanoseconds < right.nanoseconds }
}
