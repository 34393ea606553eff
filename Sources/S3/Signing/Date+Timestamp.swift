#if S3
    import DarkroomPlatform

    extension Date {
        /// The date in universal time in the form `20130524T000000Z`.
        var timestamp: String {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: self)
            let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].map { number in
                let digits = "\(number ?? 0)"
                return digits.utf8.count < 2 ? "0\(digits)" : digits
            }
            return numbers[0...2].joined() + "T" + numbers[3...5].joined() + "Z"
        }
    }
#endif
