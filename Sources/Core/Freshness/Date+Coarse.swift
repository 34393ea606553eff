#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Date {
    /// The current time, at the resolution of the system tick: some milliseconds late, at a fifth of the cost of the
    /// exact time. That suffices for freshness, which counts in seconds.
    static var coarseNow: Date {
        #if os(Linux)
            var time = timespec()
            guard unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time) == 0 else { return .now }
            return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
        #else
            return .now
        #endif
    }
}
