import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

private enum UserKey: ImageContextKey {
    static var defaultValue: String? { nil }
    static func effect(of value: String?) -> ContextEffect { .nothing }
}

private enum LanguageKey: ImageContextKey {
    static var defaultValue: String { "en" }
    static func effect(of value: String) -> ContextEffect { .nothing }
}

/// Responses without an image, which live as long as their own freshness says.
@Suite(.bounded)
struct RefusalTests {
    /// A response, and the seconds for which it is repeated.
    struct Row: CustomTestStringConvertible {
        let status: Int
        let headers: [String: String]
        let lifetime: Double

        var testDescription: String { "\(status) \(headers)" }

        init(_ status: Int, _ headers: [String: String], _ lifetime: Double) {
            (self.status, self.headers, self.lifetime) = (status, headers, lifetime)
        }
    }

    private static let changed = ["last-modified": "Sun, 06 Nov 1994 08:32:57 GMT"]

    static let statuses = [204, 205, 400, 403, 404, 405, 410, 414, 499, 500, 501, 502, 503, 504, 599]

    static let rows =
        statuses.map { Row($0, ["cache-control": "max-age=30"], 30) }
        + statuses.map { Row($0, ["expires": "Sun, 06 Nov 1994 08:50:07 GMT"], 30) }
        + statuses.map { Row($0, changed, [204, 404, 405, 410, 414, 501].contains($0) ? 100 : 0) }
        + statuses.map { Row($0, changed.merging(["cache-control": "public"]) { $1 }, 100) }
        + [
            Row(404, [:], 0), Row(404, ["cache-control": "max-age=0"], 0), Row(404, ["cache-control": "no-cache"], 0),
            Row(404, ["cache-control": "no-store, max-age=30"], 0),
            Row(599, ["cache-control": "no-store, must-understand, max-age=30"], 0),
            Row(404, ["cache-control": "max-age=30", "age": "20"], 10),
            Row(404, ["cache-control": "max-age=30", "vary": "*"], 0),
            Row(404, ["cache-control": "max-age=1000000"], 3600),
            Row(404, ["expires": "0"].merging(changed) { $1 }, 0),
        ]

    private func origin(_ row: Row, url: URL = Darkbox.url) -> Origin {
        let metadata = ResponseMetadata(url: url, status: row.status, headers: row.headers)
        return Origin(
            { _ in
                guard !(200..<300).contains(row.status) else { return LoadResponse(.data(Data()), metadata: metadata) }
                throw ImageError(.status, .load, "the origin returned status \(row.status)", response: metadata)
            },
            fields: {
                ["accept-language": $0.context[LanguageKey.self], "authorization": $0.context[UserKey.self]]
                    .compactMapValues(\.self)
            })
    }

    private func refuse(
        _ origin: Origin, _ configure: (inout ImageContext) -> Void = { _ in }
    ) async throws {
        let error = await #expect(throws: ImageError.self) { try await origin.load(configure) }
        let cause = error?.kind == .refused ? error?.underlying as? ImageError : error
        #expect(cause?.kind == .status && cause?.response?.url != nil)
    }

    @Test(arguments: rows)
    func refusalIsRepeatedWhileItIsFresh(_ row: Row) async throws {
        let origin = origin(row)
        try await refuse(origin)
        if row.lifetime > 1 {
            origin.clock.advance(by: .seconds(row.lifetime - 1))
            try await refuse(origin)
            #expect(origin.requests.count == 1)
            origin.clock.advance(by: .seconds(1))
        }
        try await refuse(origin)
        #expect(origin.requests.count == 2)
    }

    @Test func refusalIsRepeatedToTheSameRequestOnly() async throws {
        let row = Row(404, ["cache-control": "max-age=30", "vary": "Accept-Language"], 30)
        let requests: [(Int, @Sendable (inout ImageContext) -> Void)] = [
            (1, { _ in }), (1, { $0.thumbnail = .fit(3, 3) }), (2, { $0[LanguageKey.self] = "de" }),
            (1, { $0.limits.pixelCount = 9 }), (2, { $0[UserKey.self] = "a" }), (2, { $0.cacheUse = .refresh }),
            (2, { $0.cacheUse = .loaderOnly }),
            (2, { $0.retriesFailed = true }),
        ]
        for (count, request) in requests {
            let origin = origin(row)
            try await refuse(origin)
            try await refuse(origin, request)
            #expect(origin.requests.count == count)
        }
    }

    @Test func refusalAfterARedirectIsNotRepeated() async throws {
        let elsewhere = try #require(URL(string: "https://example.com/elsewhere.png"))
        let origin = origin(Row(404, ["cache-control": "max-age=30"], 30), url: elsewhere)
        for _ in 0..<2 { try await refuse(origin) }
        #expect(origin.requests.count == 2)
    }

    @Test func imageWithAnotherStatusIsStoredForItsDeclaredLifetime() async throws {
        for (cacheControl, count) in [("max-age=30", 1), ("public", 2)] {
            let origin = Origin(Origin.picture(cacheControl, status: 299))
            for _ in 0..<2 { _ = try await origin.load() }
            #expect(origin.requests.count == count)
        }
    }
}
