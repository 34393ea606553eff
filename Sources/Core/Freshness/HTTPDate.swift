package import DarkroomPlatform

extension Date {
    /// The maximum length of a date in a header field. Longer texts are rejected without being parsed.
    private static let byteLimit = 128

    /// Creates the date of an HTTP header field, in any of the three forms of RFC 9110, section 5.6.7:
    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    ///
    /// Only the case of the letters may differ: a date that merely resembles these forms makes a response stale. A
    /// two-digit year is the latest one that is at most 50 years after `receivedAt`.
    package init?(httpDate text: String, receivedAt: Date) {
        guard text.utf8.count <= Self.byteLimit else { return nil }
        let words = text.asciiLowercased.fields(separatedBy: UInt8(ascii: " "))
        guard let fields = Self.standardFields(words) ?? Self.obsoleteFields(words) ?? Self.asctimeFields(words),
            let month = fields.month.monthNumber, let year = fields.year.year(before: receivedAt),
            let day = fields.day.number(digits: fields.day.utf8.count), let time = fields.time.secondsOfDay
        else { return nil }
        self.init(year: year, month: month, day: day, secondsOfDay: time)
    }

    private typealias Fields = (day: Substring, month: Substring, year: Substring, time: Substring)

    /// Returns the fields of `sun, 06 nov 1994 08:49:37 gmt`.
    private static func standardFields(_ words: [Substring]) -> Fields? {
        guard words.count == 6, words[0].isWeekday(length: 3, before: ","), words[5] == "gmt",
            words[1].utf8.count == 2, words[3].utf8.count == 4
        else { return nil }
        return (words[1], words[2], words[3], words[4])
    }

    /// Returns the fields of `sunday, 06-nov-94 08:49:37 gmt`.
    private static func obsoleteFields(_ words: [Substring]) -> Fields? {
        guard words.count == 4, words[0].isWeekday(length: nil, before: ","), words[3] == "gmt" else { return nil }
        let date = words[1].fields(separatedBy: UInt8(ascii: "-"))
        guard date.count == 3, date[0].utf8.count == 2, date[2].utf8.count == 2 else { return nil }
        return (date[0], date[1], date[2], words[2])
    }

    /// Returns the fields of `sun nov  6 08:49:37 1994`, in which a space takes the place of the first digit.
    private static func asctimeFields(_ words: [Substring]) -> Fields? {
        let isPadded = words.count == 6 && words[2].isEmpty
        let words = isPadded ? words[..<2] + words[3...] : words[...]
        guard words.count == 5, let year = words.last, words[0].isWeekday(length: 3, before: ""),
            words.dropFirst(2).first?.utf8.count == (isPadded ? 1 : 2), year.utf8.count == 4
        else { return nil }
        let rest = Array(words)
        return (rest[2], rest[1], year, rest[3])
    }

    /// Creates the date of a header field that was received now.
    package init?(httpDate text: String) { self.init(httpDate: text, receivedAt: .now) }

    /// Creates a date of the Gregorian calendar in universal time; `nil` for a day that the month does not have.
    ///
    /// - Parameters:
    ///   - year: From 1601 to 9999.
    ///   - month: From 1 to 12.
    package init?(year: Int, month: Int, day: Int, secondsOfDay: Int) {
        guard (1601...9999).contains(year), (1...12).contains(month) else { return nil }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let dayCounts = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...dayCounts[month - 1]).contains(day), (0...86_400).contains(secondsOfDay) else { return nil }
        let past = year - 1
        let days = past * 365 + past / 4 - past / 100 + past / 400 + dayCounts[..<(month - 1)].reduce(day, +) - 719_163
        self.init(timeIntervalSince1970: Double(days * 86_400 + secondsOfDay))
    }
}

extension Substring {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    /// Whether the text is the name of a weekday, shortened to `length` letters unless that is `nil`, and `mark`.
    fileprivate func isWeekday(length: Int?, before mark: String) -> Bool {
        Self.weekdays.contains { hasBytes(of: $0.prefix(length ?? .max) + mark) }
    }

    /// The number of a month from its three lowercase letters, 1 for `jan`; `nil` for any other text.
    package var monthNumber: Int? { Self.months.firstIndex { $0.hasBytes(of: self) }.map { $0 + 1 } }

    fileprivate var secondsOfDay: Int? {
        let parts = fields(separatedBy: UInt8(ascii: ":")).map { $0.number(digits: 2) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    fileprivate func year(before receivedAt: Date) -> Int? {
        if let year = number(digits: 4) { return year }
        let years = (receivedAt.timeIntervalSince1970 / 31_556_952).rounded(.towardZero)
        guard let ending = number(digits: 2), years.magnitude < 8000 else { return nil }
        let latest = Int(years) + 2020
        return latest - (latest - ending) % 100
    }

    fileprivate func number(digits: Int) -> Int? { utf8.count == digits ? Int(decimal: self) : nil }
}
