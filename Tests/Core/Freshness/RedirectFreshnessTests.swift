@testable import DarkroomCore
import FoundationEssentials
import Testing

/// The freshness of a response after redirects.
struct RedirectFreshnessTests {
    private static let received = Date(timeIntervalSince1970: 784_111_777)
    private static let month = "max-age=2592000"

    private static func response(_ status: Int, _ headers: [String: String]) -> ResponseMetadata {
        ResponseMetadata(url: URL(string: "http://a/b")!, status: status, headers: headers)
    }

    private func freshness(_ final: String?, _ redirects: ResponseMetadata..., delay: Double = 0) -> Freshness {
        Freshness(
            of: Self.response(200, final.map { ["cache-control": $0] } ?? [:]), after: redirects,
            sentAt: Self.received - delay, receivedAt: Self.received)
    }

    /// Returns the freshness lifetime in seconds; `nil` if it is unlimited.
    private func lifetime(_ freshness: Freshness) -> Double? {
        freshness.expires.map { max(0, $0.timeIntervalSince(Self.received)) }
    }

    @Test(
        arguments: [
            (301, nil, nil), (308, nil, nil), (302, nil, 0), (303, nil, 0), (307, nil, 0), (300, nil, 0),
            (302, "private", 0), (302, "public", 0), (302, "immutable", 0), (302, "s-maxage=60", 0),
            (302, "stale-while-revalidate=60", 0), (302, "max-age=60", 60), (307, "max-age=60", 60),
            (301, "max-age=60", 60), (301, "no-cache", 0), (301, "private", nil), (302, "max-age=60, no-cache", 0),
        ] as [(Int, String?, Double?)])
    func redirectIsFreshForItsOwnLifetime(status: Int, control: String?, lifetime: Double?) {
        let redirect = Self.response(status, control.map { ["cache-control": $0] } ?? [:])
        #expect(self.lifetime(freshness(nil, redirect)) == lifetime)
        #expect(self.lifetime(freshness(Self.month, redirect)) == min(lifetime ?? .infinity, 2_592_000))
    }

    @Test func heuristicFreshnessDoesNotApplyToRedirects() {
        let changed = ["last-modified": "Thu, 27 Oct 1994 08:49:37 GMT"]
        #expect(lifetime(freshness(Self.month, Self.response(302, changed))) == 0)
        #expect(lifetime(freshness(Self.month, Self.response(301, changed))) == 2_592_000)
        let expires = Self.response(302, ["expires": "Sun, 06 Nov 1994 08:50:37 GMT"])
        #expect(lifetime(freshness(Self.month, expires)) == 60)
    }

    @Test func shortestLifetimeCountsMinusTheDelay() {
        let hops = [10, 60, 30].map { Self.response(302, ["cache-control": "max-age=\($0)"]) }
        #expect(lifetime(freshness("max-age=40", hops[0], hops[1])) == 10)
        #expect(lifetime(freshness("max-age=40", hops[1], hops[2])) == 30)
        #expect(lifetime(freshness("max-age=5", hops[1], hops[2])) == 5)
        #expect(lifetime(freshness("max-age=40", hops[1], hops[2], delay: 4)) == 26)
        let old = Self.response(302, ["cache-control": "max-age=60", "age": "45"])
        #expect(lifetime(freshness("max-age=40", old)) == 15)
    }

    @Test func immutableRequiresAllLimitingHopsToBeImmutable() {
        let (silent, lasting) = (Self.response(302, [:]), Self.response(301, [:]))
        let limiting = Self.response(301, ["cache-control": "max-age=60"])
        let immutable = Self.response(302, ["cache-control": "max-age=60, immutable"])
        let final = "max-age=60, immutable"
        #expect(freshness(final, lasting).isImmutable)
        #expect(freshness(final, immutable).isImmutable)
        #expect(!freshness(final, silent).isImmutable)
        #expect(!freshness(final, limiting).isImmutable)
        #expect(!freshness("max-age=60", immutable).isImmutable)
    }

    @Test func staleWindowsEndWithTheFirstHop() {
        func windows(_ final: String, _ redirect: String) -> [Double] {
            let freshness = freshness(final, Self.response(302, ["cache-control": redirect]))
            return [freshness.staleWhileRevalidate, freshness.staleIfError].map { $0 / .seconds(1) }
        }
        let long = "max-age=600, stale-while-revalidate=600, stale-if-error=900"
        #expect(windows(long, "max-age=60") == [0, 0])
        #expect(windows(long, "max-age=60, stale-while-revalidate=30, stale-if-error=40") == [30, 40])
        #expect(windows("max-age=60, stale-while-revalidate=30", long) == [30, 0])
        #expect(windows("max-age=60, stale-while-revalidate=3000", long) == [1140, 0])
    }

    /// A picture that changed 1000 s ago is fresh for 100 s by the heuristic, which a default replaces.
    @Test(
        arguments: [
            (301, nil, 100, 3600), (302, nil, 0, 0), (302, "no-cache", 0, 0), (302, "max-age=0", 0, 0),
            (302, "max-age=10", 10, 10), (301, "max-age=10", 10, 10), (302, "max-age=600", 100, 600),
            (302, "max-age=7200", 100, 3600),
        ] as [(Int, String?, Double, Double)])
    func heuristicsAndDefaultsEndWithTheRedirects(status: Int, control: String?, heuristic: Double, byDefault: Double) {
        let changed = Self.response(200, ["last-modified": "Sun, 06 Nov 1994 08:32:57 GMT"])
        let redirect = Self.response(status, control.map { ["cache-control": $0] } ?? [:])
        let freshness = Freshness(of: changed, after: [redirect], sentAt: Self.received, receivedAt: Self.received)
        func left(_ change: (inout ImageContext) -> Void) -> Double? {
            freshness.secondsLeft(at: Self.received, for: ImageContext(change)).map { max(0, $0) }
        }
        #expect(left { _ in } == heuristic)
        #expect(left { $0.defaultLifetime = .seconds(3600) } == byDefault)
        #expect(left { $0.heuristicLifetimeLimit = .zero } == 0)
        let defaults = ImageContext { $0.defaultStaleWhileRevalidate = .seconds(60) }
        let isLimited = status != 301 || control != nil
        #expect(freshness.staleWhileRevalidate(for: defaults) == (isLimited ? .zero : .seconds(60)))
    }

    @Test func staleWindowOfAHeuristicIsTheShortest() {
        func window(_ final: String, _ redirect: String) -> Duration {
            let headers = ["last-modified": "Sun, 06 Nov 1994 08:32:57 GMT", "cache-control": final]
            return Freshness(
                of: Self.response(200, headers), after: [Self.response(302, ["cache-control": redirect])],
                sentAt: Self.received, receivedAt: Self.received
            ).staleWhileRevalidate
        }
        let long = "stale-while-revalidate=3000"
        #expect(window(long, "max-age=600") == .zero)
        #expect(window(long, "max-age=600, stale-while-revalidate=30") == .seconds(30))
        #expect(window("stale-while-revalidate=20", "max-age=600, \(long)") == .seconds(20))
    }

    @Test func onlyAnExplicitRedirectForbidsStaleImages() {
        #expect(!freshness(Self.month, Self.response(302, [:])).mustRevalidate)
        for control in ["no-cache", "must-revalidate, max-age=60"] {
            #expect(freshness(Self.month, Self.response(302, ["cache-control": control])).mustRevalidate)
        }
        #expect(freshness(Self.month, Self.response(301, ["cache-control": "private"])).isPrivate)
    }
}
