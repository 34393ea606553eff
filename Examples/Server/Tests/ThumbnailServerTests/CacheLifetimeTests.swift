import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import ThumbnailServer

/// No cache may serve a signed path after its signature has expired.
@Suite(.bounded, .bug(id: "Fix responses that caches keep beyond the expiry of their signature"))
struct CacheLifetimeTests {
    private static let now = Date(timeIntervalSince1970: 1_900_000_000)

    @Test(arguments: [
        (nil, "public, max-age=100, stale-while-revalidate=50"),
        (1000.0, "public, max-age=100, stale-while-revalidate=50"),
        (130, "public, max-age=100, stale-while-revalidate=30"), (100, "public, max-age=100, must-revalidate"),
        (99.9, "public, max-age=99, must-revalidate"), (1, "public, max-age=1, must-revalidate"), (0.9, "no-store"),
        (0, "no-store"), (-1, "no-store"),
    ])
    func lifetimeEndsWithTheSignature(secondsLeft: Double?, field: String) {
        let lifetime = CacheLifetime(isPrivate: false, freshFor: .seconds(100), staleFor: .seconds(50))
        #expect(lifetime.ending(at: secondsLeft.map { Self.now + $0 }, now: Self.now).field == field)
    }

    @Test(arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero, .milliseconds(900), .seconds(Int64.max)])
    func everyTimeHasAField(time: Duration) {
        let field = CacheLifetime(isPrivate: true, freshFor: time, staleFor: time).field
        #expect(["private, no-cache", "private, max-age=31536000, stale-while-revalidate=31536000"].contains(field))
    }

    /// Seeded: whatever the lifetimes, their sum never exceeds the time that the signature has left.
    @Test func sumOfTheDirectivesNeverExceedsTheSignature() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let (fresh, stale, left) = (
                Double.random(in: -10...1000, using: &random), Double.random(in: -10...1000, using: &random),
                Double.random(in: -10...1000, using: &random)
            )
            let field = CacheLifetime(isPrivate: false, freshFor: .seconds(fresh), staleFor: .seconds(stale))
                .ending(at: Self.now + left, now: Self.now).field
            let seconds = field.split(separator: ", ").compactMap { $0.split(separator: "=").last.flatMap { Int($0) } }
            #expect(Double(seconds.reduce(0, +)) <= max(left, 0), "\(field)")
        }
    }

    @Test func everyResponseEndsWithTheSignature() async throws {
        try await TestServer().run { client, _ in
            // The image alone may be kept for a day.
            let expiry = Int(Date.now.timeIntervalSince1970) + 1000
            let path = "/insecure/expires:\(expiry)/sample%2Fjpeg-420.jpg"
            func seconds(_ fields: HTTPFields = [:]) async throws -> Int {
                let response = try await client.execute(uri: path, method: .get, headers: fields)
                return Self.seconds(try #require(response.headers[.cacheControl]))
            }
            // Made, from memory, and without content.
            let found = [try await seconds(), try await seconds(), try await seconds([.ifNoneMatch: "*"])]
            #expect(found.allSatisfy { (1...1000).contains($0) }, "\(found)")
        }
    }

    @Test func problemEndsWithTheSignature() throws {
        let problem = Problem(.notFound, "the sample does not exist")
        #expect(problem.response().headers[.cacheControl] == "public, max-age=10")
        let field = try #require(problem.response(expiry: .now + 5).headers[.cacheControl])
        #expect(Self.seconds(field) <= 5)
        #expect(problem.response(expiry: .now).headers[.cacheControl] == "no-store")
    }

    /// Returns the sum of all directives with a number.
    private static func seconds(_ field: String) -> Int {
        field.split(separator: ", ").compactMap { $0.split(separator: "=").last.flatMap { Int($0) } }.reduce(0, +)
    }

    @Test func expiredSignatureIsNamedBeforeTheSource() async throws {
        try await TestServer().run { client, _ in
            let response = try await client.execute(uri: "/insecure/expires:1/sample%2Fnone.jpg", method: .get)
            #expect(response.status == .forbidden)
        }
    }
}
