import ServerPlatform
import Synchronization

/// The value of the field `Date`, formatted once a second.
enum ResponseDate {
    private static let latest = Mutex<(second: Int, text: String)>((0, ""))

    /// The value for a response that is sent now.
    static var now: String {
        let second = Int(saturating: Date.now.timeIntervalSince1970)
        return latest.withLock { latest in
            if latest.second != second { latest = (second, text(of: second)) }
            return latest.text
        }
    }

    /// Returns the value for a time in seconds since 1970 (RFC 9110, section 5.6.7).
    static func text(of second: Int) -> String {
        var (time, parts) = (time_t(second), unsafe tm())
        unsafe gmtime_r(&time, &parts)
        let (weekday, month) = unsafe (Int(parts.tm_wday), Int(parts.tm_mon))
        let (year, day) = unsafe (1900 + Int(parts.tm_year), Int(parts.tm_mday))
        let (hour, minute, seconds) = unsafe (Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = "\(two(day)) \(months[month]) \(year)"
        return "\(days[weekday]), \(date) \(two(hour)):\(two(minute)):\(two(seconds)) GMT"
    }
}
