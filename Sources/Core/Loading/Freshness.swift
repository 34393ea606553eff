#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the headers of a response say about keeping it, for a private cache: RFC 9111.
struct Freshness: Equatable {
    /// Until when it may be used without asking; `nil` when nothing was said, which means for ever.
    var expires: Date?

    /// Whether it may not be used after that, even when the origin is out of reach.
    var mustRevalidate = false

    /// Whether nothing of it may be kept.
    var forbidsStore = false

    init(of response: ResponseMetadata?, receivedAt: Date) {
        guard let headers = response?.headers else { return }
        let directives = Self.directives(headers["cache-control"] ?? "")
        forbidsStore = directives["no-store"] != nil
        mustRevalidate = directives["must-revalidate"] != nil || directives["no-cache"] != nil
        let age = headers["age"].flatMap(Double.init) ?? 0
        let date = headers["date"].flatMap(Date.init(httpDate:)) ?? receivedAt
        if directives["no-cache"] != nil {
            expires = .distantPast
        } else if let maximum = directives["max-age"] {
            expires = receivedAt + (Double(maximum) ?? 0) - age
        } else if let field = headers["expires"] {
            // A date that cannot be read, such as `0`, means that it has passed.
            expires = Date(httpDate: field).map { receivedAt + $0.timeIntervalSince(date) - age } ?? .distantPast
        } else if let modified = headers["last-modified"].flatMap(Date.init(httpDate:)) {
            // The usual heuristic of section 4.2.2: a tenth of the time it had not changed.
            expires = receivedAt + max(0, date.timeIntervalSince(modified)) / 10 - age
        }
    }

    private static func directives(_ field: String) -> [String: String] {
        var directives: [String: String] = [:]
        for part in field.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { !" \t\"".contains($0) } }
            guard let name = pair.first?.lowercased(), !name.isEmpty else { continue }
            directives[name] = pair.count > 1 ? pair[1] : ""
        }
        return directives
    }
}

extension Date {
    /// The date of an HTTP header field in its preferred form, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
    init?(httpDate text: String) {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
            let month = months.firstIndex(of: String(words[2])).map({ $0 + 1 }),
            (1...31).contains(day), (1601...9999).contains(year)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        // Days since 1970 in the Gregorian calendar, with years that begin in March.
        let shiftedYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = shiftedYear * 365 + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear - 719_468
        self.init(timeIntervalSince1970: Double(days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]))
    }
}
