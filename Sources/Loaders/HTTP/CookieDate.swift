#if HTTP
    import DarkroomCore
    import DarkroomPlatform

    extension Date {
        /// The limit on the length of a date. Longer texts are not parsed.
        private static let cookieDateByteLimit = 128

        /// Creates the expiry date of a cookie from any text with a time, a day, a month and a year (RFC 6265, section
        /// 5.1.1).
        init?(cookieDate text: String) {
            guard text.utf8.count <= Self.cookieDateByteLimit else { return nil }
            var parts = CookieDateParts()
            for token in text.utf8.split(whereSeparator: \.isCookieDateDelimiter) { parts.add(Substring(token)) }
            guard let time = parts.secondsOfDay, let day = parts.day, let month = parts.month, let year = parts.year
            else { return nil }
            self.init(year: year, month: month, day: day, secondsOfDay: time)
        }
    }

    /// The parts of a date found so far. Of several tokens that could be the same part, the first one counts.
    private struct CookieDateParts {
        var secondsOfDay: Int?
        var day: Int?
        var month: Int?
        var year: Int?

        mutating func add(_ token: Substring) {
            if secondsOfDay == nil, let time = token.cookieTime {
                secondsOfDay = time
            } else if day == nil, let number = token.leadingNumber(digits: 1...2) {
                day = number
            } else if month == nil, let number = Substring(token.utf8.prefix(3)).asciiLowercased[...].monthNumber {
                month = number
            } else if year == nil, let number = token.leadingNumber(digits: 2...4) {
                year = number + (number < 70 ? 2000 : number < 100 ? 1900 : 0)
            }
        }
    }

    extension Substring {
        /// The seconds of a time such as `08:49:37`, which anything but a digit may follow.
        fileprivate var cookieTime: Int? {
            let parts = fields(separatedBy: UInt8(ascii: ":"), maxSplits: 2)
            guard parts.count == 3, let hour = parts[0].fullNumber, let minute = parts[1].fullNumber,
                let second = parts[2].leadingNumber(digits: 1...2), hour < 24, minute < 60, second < 60
            else { return nil }
            return hour * 3600 + minute * 60 + second
        }

        /// The number, if the text consists of one or two digits.
        private var fullNumber: Int? { utf8.count <= 2 ? Int(decimal: self) : nil }

        /// Returns the number at the start if its count of digits is in `digits`.
        fileprivate func leadingNumber(digits: ClosedRange<Int>) -> Int? {
            let number = utf8.prefix(while: \.isASCIIDigit)
            return digits.contains(number.count) ? Int(decimal: Substring(number)) : nil
        }
    }

    extension UInt8 {
        /// Whether the byte separates the parts of a cookie's date.
        fileprivate var isCookieDateDelimiter: Bool {
            switch self {
            case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
            default: false
            }
        }
    }
#endif
