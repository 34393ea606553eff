@testable import DarkroomCore
import FoundationEssentials
import Testing

/// The freshness verdict on a response some time after it was received, as a table.
struct FreshnessTests {
    enum Outcome {
        /// The response may be used without a request.
        case fresh
        /// The response may be used while it is revalidated.
        case staleWhileAsking
        /// The response is revalidated, and may be used if the origin cannot be reached.
        case asked
        /// The response is revalidated, and may be used if the origin cannot be reached or returns a server error.
        case askedOrStale
        /// The response may be used only after successful revalidation.
        case mustBeConfirmed
        /// The response is not stored.
        case notStored
    }

    struct Row: CustomTestStringConvertible {
        let name: String
        let headers: [String: String]
        /// The seconds since the response was received.
        let after: Double
        let outcome: Outcome
        /// The seconds from the request to the response.
        var delay = 0.0

        var testDescription: String { name }

        init(
            _ name: String, _ headers: [String: String], after: Double = 0, delay: Double = 0, _ outcome: Outcome
        ) {
            (self.name, self.headers, self.after, self.delay, self.outcome) = (name, headers, after, delay, outcome)
        }

        init(_ name: String, _ cacheControl: String, after: Double = 0, delay: Double = 0, _ outcome: Outcome) {
            self.init(name, ["cache-control": cacheControl], after: after, delay: delay, outcome)
        }
    }

    /// The time of the response: Sun, 06 Nov 1994 08:49:37 GMT.
    private static let received = Date(timeIntervalSince1970: 784_111_777)
    private static let now = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let inAMinute = "Sun, 06 Nov 1994 08:50:37 GMT"
    private static let tenDaysAgo = "Thu, 27 Oct 1994 08:49:37 GMT"
    private static let century = 3.2e9

    static let lifetimes = [
        Row("RFC 9111 4.2.1: within max-age", "max-age=60", after: 59, .fresh),
        Row("RFC 9111 4.2.1: max-age has expired", "max-age=60", after: 60, .asked),
        Row("RFC 9111 5.2.2.1: max-age=0", "max-age=0", .asked),
        Row("RFC 9111 5.2: names in any case", "MAX-Age=60", after: 59, .fresh),
        Row("RFC 9111 5.2: a quoted number counts", "max-age=\"60\"", after: 59, .fresh),
        Row("RFC 9111 5.2: blanks round a directive", " public ,\tmax-age=60 ", after: 59, .fresh),
        Row("RFC 9111 5.2.2.10: s-maxage is for shared caches", "s-maxage=0, max-age=60", after: 59, .fresh),
        Row("RFC 9111 5.2.2.10: s-maxage has no effect", "s-maxage=1", after: century, .fresh),
        Row("RFC 9111 5.2.2.7: private is ours", "private, max-age=60", after: 59, .fresh),
        Row("RFC 9111 5.2.2.7: private for named fields", "private=\"a, b\", max-age=60", after: 59, .fresh),
        Row("RFC 9111 5.2.2.9: public has no effect", "public, max-age=60", after: 60, .asked),
        Row("RFC 9111 5.2.3: unknown directives do no harm", "sparkle, max-age=60, twinkle=\"9\"", after: 59, .fresh),
        Row("RFC 9111 4.2.1: the first of two max-age counts", "max-age=60, max-age=10", after: 59, .fresh),
        Row("RFC 9111 4.2.1: the first of two has expired", "max-age=10, max-age=60", after: 59, .asked),
        Row("RFC 9111 4.2.1: a negative max-age is stale", "max-age=-60", .asked),
        Row("RFC 9111 4.2.1: a fraction is stale", "max-age=60.5", .asked),
        Row("RFC 9111 4.2.1: words are stale", "max-age=soon", .asked),
        Row("RFC 9111 4.2.1: max-age without a number is stale", "max-age", .asked),
        Row("RFC 9111 4.2.1: an empty number is stale", "max-age=", .asked),
        Row("RFC 9111 1.2.2: too large a number is 2^31", "max-age=99999999999999999999", after: 2_147_483_647, .fresh),
        Row("RFC 9111 1.2.2: and no more", "max-age=99999999999999999999", after: 2_147_483_648, .asked),
        Row("RFC 9111 5.3: until Expires", ["expires": inAMinute, "date": now], after: 59, .fresh),
        Row("RFC 9111 5.3: after Expires", ["expires": inAMinute, "date": now], after: 60, .asked),
        Row("RFC 9111 5.3: Expires before Date", ["expires": tenDaysAgo, "date": now], .asked),
        Row("RFC 9111 5.3: Expires: 0 has passed", ["expires": "0"], .asked),
        Row("RFC 9111 5.3: an empty Expires has passed", ["expires": ""], .asked),
        Row("RFC 9111 5.3: two Expires are invalid", ["expires": "\(inAMinute), \(inAMinute)"], .asked),
        Row("RFC 9111 5.3: max-age beats Expires", ["expires": now, "cache-control": "max-age=60"], after: 59, .fresh),
        Row(
            "RFC 9111 5.3: an invalid max-age overrides Expires", ["expires": inAMinute, "cache-control": "max-age=x"],
            .asked),
        Row("RFC 9111 5.3: s-maxage does not", ["expires": inAMinute, "cache-control": "s-maxage=0"], .fresh),
        Row(
            "RFC 9111 4.2: Expires counts from Date, not from our clock",
            ["expires": "Sat, 05 Nov 2044 08:50:37 GMT", "date": "Sat, 05 Nov 2044 08:49:37 GMT"], after: 60, .asked),
    ]

    static let ages = [
        Row(
            "RFC 9111 4.2.3: Age was spent on the way", ["cache-control": "max-age=60", "age": "20"], after: 40, .asked),
        Row("RFC 9111 4.2.3: the rest is ours", ["cache-control": "max-age=60", "age": "20"], after: 39, .fresh),
        Row("RFC 9111 4.2.3: the delay of the response counts", "max-age=60", after: 50, delay: 10, .asked),
        Row("RFC 9111 4.2.3: the delay adds to Age", ["cache-control": "max-age=60", "age": "20"], delay: 40, .asked),
        Row(
            "RFC 9111 4.2.3: Date may imply a greater age than Age",
            ["cache-control": "max-age=60", "age": "1", "date": "Sun, 06 Nov 1994 08:48:37 GMT"], .asked),
        Row(
            "RFC 9111 4.2.3: a Date in the future makes nothing younger",
            ["cache-control": "max-age=60", "date": "Sun, 06 Nov 1994 09:48:37 GMT"], after: 60, .asked),
        Row(
            "RFC 9111 5.1: an invalid Age is ignored", ["cache-control": "max-age=60", "age": "-5"], after: 59, .fresh),
        Row("RFC 9111 5.1: of a list the first", ["cache-control": "max-age=60", "age": "0, 99"], after: 59, .fresh),
        Row("RFC 9111 1.2.2: a huge Age", ["cache-control": "max-age=60", "age": "99999999999999999999"], .asked),
        Row("RFC 9111 4.2.2: a tenth of ten days", ["last-modified": tenDaysAgo], after: 86_399, .fresh),
        Row("RFC 9111 4.2.2: and no more", ["last-modified": tenDaysAgo], after: 86_400, .asked),
        Row(
            "RFC 9111 4.2.2: a guess ends after a day", ["last-modified": "Sun, 06 Nov 1904 08:49:37 GMT"],
            after: 86_400, .asked),
        Row(
            "RFC 9111 4.2.2: no guess beside max-age", ["last-modified": tenDaysAgo, "cache-control": "max-age=1"],
            after: 1, .asked),
        Row(
            "RFC 9111 4.2.2: no heuristic lifetime beside an invalid Expires",
            ["last-modified": tenDaysAgo, "expires": "-1"], .asked),
        Row("RFC 9111 4.2.2: changed after it was sent", ["last-modified": inAMinute, "date": now], .asked),
        Row("RFC 9111 4.2.2: nothing said, for ever", ["etag": "\"1\""], after: century, .fresh),
        Row(
            "RFC 9110 5.6.7: Expires in RFC 850's form", ["expires": "Sunday, 06-Nov-94 08:50:37 GMT"], after: 59,
            .fresh),
        Row("RFC 9110 5.6.7: and after it", ["expires": "Sunday, 06-Nov-94 08:50:37 GMT"], after: 60, .asked),
        Row("RFC 9110 5.6.7: Expires in asctime's form", ["expires": "Sun Nov  6 08:50:37 1994"], after: 59, .fresh),
        Row("RFC 9110 5.6.7: and after it", ["expires": "Sun Nov  6 08:50:37 1994"], after: 60, .asked),
        Row("RFC 9111 4.2: a local time is invalid", ["expires": "Sun, 06 Nov 1994 08:50:37 PST"], .asked),
    ]

    static let bans = [
        Row("RFC 9111 5.2.2.5: no-store", "no-store", .notStored),
        Row("RFC 9111 5.2.2.5: no-store beside a lifetime", "max-age=60, No-Store", .notStored),
        Row("RFC 9111 5.2.2.5: no-store with an argument", "no-store=\"a\"", .notStored),
        Row("RFC 9111 5.2: no-store behind a quote without end", "a=\"b, no-store", .notStored),
        Row("RFC 9111 5.2: no-store in quotes is a word", "a=\"b, no-store\", max-age=60", .fresh),
        Row("RFC 9111 5.2: an escaped quote ends nothing", "a=\"\\\", no-store\", max-age=60", .fresh),
        Row("RFC 9111 5.2.2.3: must-understand, and we do", "no-store, must-understand, max-age=60", .fresh),
        Row("RFC 9111 5.2.2.4: no-cache", "no-cache", .mustBeConfirmed),
        Row("RFC 9111 4.2.1: no-cache beats max-age", "max-age=60, no-cache", .mustBeConfirmed),
        Row("RFC 9111 5.2.2.4: no-cache for a field", "no-cache=\"set-cookie\", max-age=60", .fresh),
        Row("RFC 9111 5.4: Pragma: no-cache", ["pragma": "No-Cache"], .mustBeConfirmed),
        Row(
            "RFC 9111 5.4: Pragma beside Cache-Control", ["pragma": "no-cache", "cache-control": "max-age=60"], .fresh),
        Row("RFC 9111 5.4: another Pragma", ["pragma": "sparkle"], .fresh),
        Row("RFC 9111 5.2.2.2: must-revalidate while fresh", "max-age=60, must-revalidate", after: 59, .fresh),
        Row("RFC 9111 5.2.2.2: must-revalidate after that", "max-age=60, must-revalidate", after: 60, .mustBeConfirmed),
        Row("RFC 9111 5.2.2.2: and without a lifetime", "must-revalidate", after: century, .fresh),
        Row("RFC 9111 5.2.2.8: proxy-revalidate", "max-age=60, proxy-revalidate", after: 60, .asked),
        Row("RFC 8246 2: immutable while fresh", "max-age=60, immutable", after: 59, .fresh),
        Row("RFC 8246 2: immutable has no lifetime", "max-age=60, immutable", after: 60, .asked),
        Row("RFC 5861 3: within the window", "max-age=60, stale-while-revalidate=30", after: 89, .staleWhileAsking),
        Row("RFC 5861 3: fresh before it", "max-age=60, stale-while-revalidate=30", after: 59, .fresh),
        Row("RFC 5861 3: revalidated after it", "max-age=60, stale-while-revalidate=30", after: 90, .asked),
        Row("RFC 5861 3: an invalid window is ignored", "max-age=60, stale-while-revalidate=x", after: 60, .asked),
        Row(
            "RFC 9111 4.2.4: must-revalidate closes the window",
            "max-age=60, stale-while-revalidate=30, must-revalidate", after: 60, .mustBeConfirmed),
        Row("RFC 5861 4: within the window", "max-age=60, stale-if-error=30", after: 89, .askedOrStale),
        Row("RFC 5861 4: after it", "max-age=60, stale-if-error=30", after: 90, .asked),
        Row(
            "RFC 9111 4.2.4: must-revalidate closes that one, too",
            "max-age=60, stale-if-error=30, must-revalidate", after: 60, .mustBeConfirmed),
        Row("RFC 9111 4.2.4: disconnected", "max-age=60", after: century, .asked),
    ]

    @Test(arguments: lifetimes + ages + bans)
    func freshnessFollowsTheHeaderFields(row: Row) {
        let response = ResponseMetadata(url: URL(string: "http://a/b")!, status: 200, headers: row.headers)
        let freshness = Freshness(of: response, sentAt: Self.received - row.delay, receivedAt: Self.received)
        let version = OriginalVersion(revision: "1", freshness: freshness)
        #expect(outcome(version, row) == row.outcome)
    }

    @Test(arguments: [
        ("private", true), ("max-age=9, Private", true), ("private=\"set-cookie\"", false), ("public", false),
    ])
    func privateResponsesAreMarked(field: String, isPrivate: Bool) {
        let response = ResponseMetadata(
            url: URL(string: "http://a/b")!, status: 200, headers: ["cache-control": field])
        let freshness = Freshness(of: response, sentAt: Self.received, receivedAt: Self.received)
        #expect(freshness.isPrivate == isPrivate)
    }

    private func outcome(_ version: OriginalVersion, _ row: Row) -> Outcome {
        if CacheControl(of: row.headers).forbidsStore { return .notStored }
        let now = Self.received + row.after
        let version: OriginalVersion? = version
        switch version.verdict(for: DefaultFreshnessContext(), at: now) {
        case .fresh: return .fresh
        case .staleWhileRevalidating: return .staleWhileAsking
        default: break
        }
        let metadata = ResponseMetadata(url: URL(string: "http://a/b")!, status: 503)
        let allowsUse = [
            ImageError(.network, .load, ""), ImageError(.timedOut, .load, ""),
            ImageError(.status, .load, "", response: metadata), ImageError(.contentType, .load, ""),
        ].map { version.allowsUse(after: $0, for: DefaultFreshnessContext(), at: now) }
        return switch allowsUse {
        case [true, true, true, false]: .askedOrStale
        case [true, true, false, false]: .asked
        default: .mustBeConfirmed
        }
    }

    @Test func noResponseMeansFreshForever() {
        let freshness = Freshness(of: nil, sentAt: Self.received, receivedAt: Self.received)
        #expect(freshness == Freshness(confirmedAt: Self.received))
        #expect(freshness.expires == nil)
    }
}

/// A request with the default context, whose loader sends no header fields.
private struct DefaultFreshnessContext: FreshnessContext {
    let context = ImageContext()
    let isLocal = false

    func isCurrentLocally(_ revision: String) -> Bool { false }

    func requestFields(along route: SourceRoute?) -> [String: String] { [:] }
}
