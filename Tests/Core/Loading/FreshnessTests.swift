@testable import DarkroomCore
import FoundationEssentials
import Testing

struct FreshnessTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private let received = Date(timeIntervalSince1970: 784_111_777)

    private func freshness(_ headers: [String: String]) -> Freshness {
        let response = ResponseMetadata(url: URL(string: "http://a/b")!, status: 200, headers: headers)
        return Freshness(of: response, receivedAt: received)
    }

    @Test func httpDatesAreRead() {
        #expect(Date(httpDate: Self.date) == received)
        #expect(Date(httpDate: "Thu, 29 Feb 2024 23:59:60 GMT") == Date(timeIntervalSince1970: 1_709_251_200))
    }

    @Test(arguments: [
        "", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 99 Foo 1994 08:49:37 GMT",
    ])
    func otherTextsAreNoDates(text: String) {
        #expect(Date(httpDate: text) == nil)
    }

    @Test(
        arguments: [
            (["cache-control": "max-age=60"], 60.0), (["cache-control": "public, Max-Age = \"60\"", "age": "20"], 40),
            (["expires": "Sun, 06 Nov 1994 08:51:37 GMT", "date": date], 120),
            (["expires": "Sun, 06 Nov 1994 08:51:37 GMT", "cache-control": "max-age=5"], 5),
            (["last-modified": "Sun, 06 Nov 1994 08:48:37 GMT", "date": date], 6),
        ] as [([String: String], Double)])
    func lifetimeIsTakenFromTheStrongestField(headers: [String: String], lifetime: Double) {
        #expect(freshness(headers).expires == received + lifetime)
    }

    @Test func noHeadersMeanForEver() {
        #expect(freshness([:]) == Freshness(of: nil, receivedAt: received))
        #expect(freshness([:]).expires == nil)
    }

    @Test func whatCannotBeReadHasPassed() {
        #expect(freshness(["expires": "0"]).expires == .distantPast)
        #expect(freshness(["cache-control": "no-cache"]).expires == .distantPast)
        #expect(freshness(["cache-control": "max-age=soon"]).expires == received)
    }

    @Test func directivesAreSeen() {
        #expect(freshness(["cache-control": "no-store"]).forbidsStore)
        #expect(freshness(["cache-control": "max-age=1, must-revalidate"]).mustRevalidate)
        #expect(freshness(["cache-control": "no-cache"]).mustRevalidate)
    }
}
