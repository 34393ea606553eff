@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Header fields may contain anything, which must neither crash the process nor hide a restriction of a field.
@Suite(.bounded)
struct HostileFieldTests {
    private static let cacheControl = [
        "max-age=60, stale-while-revalidate=\"30\"", "no-cache=\"set-cookie, x\", private", "no-store, must-understand",
        "max-age=60, x=\"", "public, extension=\"a \\\" , b\", immutable",
    ]
    private static let dates = [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun, 06 Nov 1994 08:49:60 UTC",
    ]

    @Test(.bug(id: "cache-control-quote", "Fix endless recursion on an unterminated quote in Cache-Control"))
    func unterminatedQuoteBeforeACombiningMarkEnds() {
        let control = CacheControl("max-age=60, x=\"\u{301}, no-store")
        #expect(control.seconds("max-age") == 60)
        #expect(control.forbidsStore)
    }

    @Test(arguments: [
        "no-store=\u{301}", "max-age=60,\u{301}=1,no-store", "x=\"\u{301}a\", no-store", "\"\u{301}\",no-store",
    ])
    func combiningMarksDoNotHideADirective(_ field: String) {
        #expect(CacheControl(field).forbidsStore)
    }

    /// `=` and the mark are one character, of which only `=` is the separator.
    @Test(.bug(id: "Fix Cache-Control values that begin with a combining mark"))
    func combiningMarkBelongsToTheValue() {
        #expect(CacheControl("max-age=\u{301}60").seconds("max-age") == 0)
        #expect(!CacheControl("private=\u{301}").isPrivate)
    }

    @Test func confusableNameIsNotADirective() {
        #expect(!CacheControl("no\u{2010}store").forbidsStore)
        #expect(!CacheControl("private\u{37E}").isPrivate)
        #expect("x\u{37E}y, \u{212A}".listMembers == ["x\u{37E}y", "\u{212A}"])
        #expect("\u{212A}".listMembers[0].hasBytes(of: "\u{212A}"))
    }

    @Test func cacheControlAcceptsAnyText() {
        var mutator = TextMutator(Self.cacheControl, seed: 1)
        for _ in 0..<4000 { check(CacheControl(mutator.next())) }
        for unit in [",", "a=\"\\", "a=1,", "\"\u{301}"] { check(CacheControl(TextMutator.longText(repeating: unit))) }
    }

    private func check(_ control: CacheControl) {
        for name in ["max-age", "stale-while-revalidate", "stale-if-error", "x"] {
            if let seconds = control.seconds(name) { #expect((0...2_147_483_648).contains(seconds)) }
        }
        #expect(control.unstorableFields.allSatisfy { $0 == $0.asciiLowercased && !$0.isEmpty })
    }

    @Test func datesAreWithinTheCalendar() {
        var mutator = TextMutator(Self.dates, seed: 2)
        let bounds = Date(timeIntervalSince1970: -11_700_000_000)...Date(timeIntervalSince1970: 253_402_300_800)
        for _ in 0..<4000 {
            if let date = Date(httpDate: mutator.next()) { #expect(bounds.contains(date)) }
        }
        for unit in [" ", "-", "1:", "Sun, "] { #expect(Date(httpDate: TextMutator.longText(repeating: unit)) == nil) }
    }

    @Test(arguments: [Double.nan, .infinity, -1e300, 1e18, -1e12])
    func wrongClockDoesNotAffectShortYears(_ seconds: Double) {
        let received = Date(timeIntervalSince1970: seconds)
        #expect(Date(httpDate: Self.dates[1], receivedAt: received) == nil)
        #expect(Date(httpDate: Self.dates[0], receivedAt: received) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test func responsesAcceptAnyFields() throws {
        var mutator = TextMutator(
            Self.cacheControl + Self.dates + ["Accept, *", "W/\"a\"", "\"a\"", "120", "close, x"], seed: 3)
        let names = [
            "cache-control", "date", "age", "expires", "last-modified", "etag", "vary", "connection", "retry-after",
        ]
        let url = try #require(URL(string: "http://example.com/a.png"))
        let now = Date(timeIntervalSince1970: 784_111_777)
        for _ in 0..<1000 {
            let headers = Dictionary(uniqueKeysWithValues: names.map { ($0, mutator.next()) })
            let response = ResponseMetadata(url: url, status: 200, headers: headers)
            let freshness = Freshness(of: response, after: [response], sentAt: now, receivedAt: now)
            #expect(freshness.staleIfError >= .zero && freshness.staleWhileRevalidate >= .zero)
            #expect(response.isConfirmed(by: response))
            #expect(response.storable.storable == response.storable)
            #expect(response.updated(by: response).url == url)
            let varied = VariedFields(of: response, sent: headers)
            #expect(varied.isWildcard || varied.match(headers) || varied.fields.values.contains("*"))
            let error = ImageError(.status, .load, "503", response: response)
            if let delay = RetryPolicy().delay(afterAttempt: 1, error: error) {
                #expect(delay >= .zero && delay <= .seconds(60))
            }
        }
    }

    @Test func entityTagsAreComparedByBytes() throws {
        let url = try #require(URL(string: "http://example.com/a.png"))
        let (one, other) = ("\"\u{E9}\"", "\"e\u{301}\"")
        let stored = ResponseMetadata(url: url, status: 200, headers: ["etag": one])
        #expect(stored.isConfirmed(by: ResponseMetadata(url: url, status: 304, headers: ["etag": one])))
        #expect(!stored.isConfirmed(by: ResponseMetadata(url: url, status: 304, headers: ["etag": other])))
        #expect(!VariedFields(["accept": one]).match(["accept": other]))
    }

    @Test func longFieldsTakeTimeInProportion() throws {
        let url = try #require(URL(string: "http://example.com/a.png"))
        for unit in [",", "a,", ",\u{301}", " "] {
            let text = TextMutator.longText(repeating: unit)
            let response = ResponseMetadata(url: url, status: 200, headers: ["connection": text, "vary": text])
            #expect(response.storable.url == url)
            #expect(!VariedFields(of: response, sent: [:]).isWildcard)
        }
    }
}
