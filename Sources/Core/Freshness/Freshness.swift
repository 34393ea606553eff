#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What an origin said about using a picture again: RFC 9111 for a private cache, with RFC 5861 and RFC 8246.
public struct Freshness: Hashable, Sendable, Codable {
    /// When the bytes came, or their origin last said that they still hold.
    public var confirmedAt: Date

    /// Until when they may be used without asking; `nil` when nothing was said, which means for ever.
    public var expires: Date?

    /// Whether `expires` is a guess, made of the date of the last change; a request sets the bound of such guesses.
    public var isHeuristic = false

    /// Whether they may not be used after that, even when the origin is out of reach.
    public var mustRevalidate = false

    /// Whether nobody needs to ask before that, not even who wants to know it anew.
    public var isImmutable = false

    /// Whether they are meant for one user alone: a cache of one user keeps them all the same, and whoever passes them on
    /// should pass that on too.
    public var isPrivate = false

    /// For how many seconds after that they may be used while their origin is asked.
    public var staleWhileRevalidate = 0.0

    /// For how many seconds after that they may be used when the origin answers with an error of its own.
    public var staleIfError = 0.0

    /// For ever fresh.
    public init(confirmedAt: Date) { self.confirmedAt = confirmedAt }

    /// What the header fields of `response` say, which was asked for at `sentAt` and came at `receivedAt`.
    init(of response: ResponseMetadata?, sentAt: Date, receivedAt: Date) {
        self.init(confirmedAt: receivedAt)
        guard let headers = response?.headers else { return }
        let control = CacheControl(of: headers)
        mustRevalidate = control.has("must-revalidate") || control.forbidsUnaskedUse
        isImmutable = control.has("immutable")
        isPrivate = control.isPrivate
        staleWhileRevalidate = control.seconds("stale-while-revalidate") ?? 0
        staleIfError = control.seconds("stale-if-error") ?? 0
        func read(_ name: String) -> Date? { headers[name].flatMap { Date(httpDate: $0, receivedAt: receivedAt) } }
        let date = read("date") ?? receivedAt
        let lifetime: Double
        if control.forbidsUnaskedUse {
            expires = .distantPast
            return
        } else if let seconds = control.seconds("max-age") {
            lifetime = seconds
        } else if headers["expires"] != nil {
            // What cannot be read, such as `0`, is a date that has passed (section 5.3).
            lifetime = read("expires")?.timeIntervalSince(date) ?? 0
        } else if let modified = read("last-modified") {
            lifetime = max(0, date.timeIntervalSince(modified)) / 10
            isHeuristic = true
        } else {
            return
        }
        expires = receivedAt + lifetime - Self.age(headers["age"], date, sentAt: sentAt, receivedAt: receivedAt)
    }

    /// How old the response was when it came: section 4.2.3, which corrects the clocks of others by our own.
    private static func age(_ field: String?, _ date: Date, sentAt: Date, receivedAt: Date) -> Double {
        let told = field.flatMap { CacheControl.seconds($0.fields(separatedBy: UInt8(ascii: ","))[0].trimmed) } ?? 0
        let delay = max(0, receivedAt.timeIntervalSince(sentAt))
        return max(0, receivedAt.timeIntervalSince(date), told + delay)
    }
}
