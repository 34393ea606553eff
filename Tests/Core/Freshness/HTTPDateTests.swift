@testable import DarkroomCore
import FoundationEssentials
import Testing

struct HTTPDateTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private let date = Date(timeIntervalSince1970: 784_111_777)

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "sun, 06 NOV 1994 08:49:37 gmt", "SUNDAY, 06-nov-94 08:49:37 Gmt", "Sun Nov 06 08:49:37 1994",
    ])
    func allFormsAreRead(text: String) {
        #expect(Date(httpDate: text, receivedAt: date) == date)
    }

    @Test(
        "A date that resembles a form, but has another separator, length or zone, is not a date",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06  Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT",
            "Sun Nov 6 08:49:37 1994", "Sun Nov   6 08:49:37 1994", "Sun, Nov  6 08:49:37 1994",
            "Sun Nov  6 08:49:37 94",
            "06 Nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37  GMT", "Sun, 06 Nov 1994 08:49:37 +0000",
        ])
    func resemblingTextsAreNotDates(text: String) {
        #expect(Date(httpDate: text, receivedAt: date) == nil)
        var response = ResponseMetadata(url: URL(string: "https://a.example/a.png")!, status: 200)
        response.headers["expires"] = text.replacing("1994", with: "2094").replacing("94 ", with: "44 ")
        #expect(Freshness(of: response, sentAt: date, receivedAt: date).expires == date)
    }

    @Test func leapDaysAndLeapSecondsAreRead() {
        let leap = Date(httpDate: "Thu, 29 Feb 2024 23:59:60 GMT", receivedAt: date)
        #expect(leap == Date(timeIntervalSince1970: 1_709_251_200))
        let first = Date(httpDate: "Mon, 01 Jan 1601 00:00:00 GMT", receivedAt: date)
        #expect(first == Date(timeIntervalSince1970: -11_644_473_600))
    }

    @Test(arguments: [("44", 2044), ("45", 1945), ("94", 1994), ("95", 1995), ("01", 2001), ("00", 2000)])
    func twoDigitYearIsNeverFarInTheFuture(digits: String, year: Int) {
        let short = Date(httpDate: "Sunday, 06-Nov-\(digits) 08:49:37 GMT", receivedAt: date)
        #expect(short == Date(httpDate: "Sun, 06 Nov \(year) 08:49:37 GMT", receivedAt: date))
        #expect(short != nil)
    }

    @Test(arguments: [
        "", " ", "0", "-1", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 25:49:37 GMT",
        "Sun, 99 Foo 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 31 Apr 1994 08:49:37 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 EST", "Sunday, 06-Nov-94-1 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994 GMT x",
        "a b c d e f", "Sun, 00 Nov 1994 08:49:37 GMT",
    ])
    func otherTextsAreNotDates(text: String) {
        #expect(Date(httpDate: text, receivedAt: date) == nil)
    }
}
