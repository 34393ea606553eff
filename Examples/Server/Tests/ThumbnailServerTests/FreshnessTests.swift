import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import ThumbnailServer

/// The header fields of responses whose origin server requires revalidation on each request.
@Suite(.bounded)
struct FreshnessTests {
    private static let path = "/insecure/thumbnail:2x2/https%3A%2F%2Fexample.com%2Fa.png"

    /// The origin server's second response, and the resulting `Cache-Status`.
    struct Row: Sendable {
        let body: @Sendable (Data) throws -> LoadResponse.Body
        let status: String
    }

    static let rows = [
        Row(body: { _ in .notModified }, status: "darkroom; fwd=stale; fwd-status=304; stored"),
        Row(body: { .data($0) }, status: "darkroom; fwd=stale; fwd-status=200; stored; detail=unchanged"),
        Row(
            body: { _ in throw ImageError(.network, .load, "the origin server is unreachable") },
            status: "darkroom; fwd=stale; detail=stale-on-error-network"),
    ]

    @Test(arguments: rows)
    func cacheStatusReflectsTheRevalidation(_ row: Row) async throws {
        let image = try Data(contentsOf: fixtureFolder.appending(path: "png-3x5.png"))
        let loader = FakeLoader { request in
            let headers = ["etag": "\"1\"", "cache-control": "private, max-age=0"]
            let metadata = ResponseMetadata(url: request.url, status: 200, headers: headers)
            return LoadResponse(request.stored == nil ? .data(image) : try row.body(image), metadata: metadata)
        }
        try await TestServer(loader: loader).run { client, _ in
            let first = try await client.execute(uri: Self.path, method: .get)
            #expect(first.headers[.cacheControl] == "private, no-cache")
            #expect(first.headers[.cacheStatus] == "darkroom; fwd=uri-miss; stored")
            let second = try await client.execute(uri: Self.path, method: .get)
            #expect(second.headers[.cacheStatus] == row.status)
            #expect(second.body == first.body)
        }
        #expect(loader.requests.count == 2)
    }

    /// The server is a shared cache, and caches of single users may follow it.
    @Test(
        arguments: [
            ("max-age=31536000, s-maxage=60", 60), ("max-age=60, s-maxage=31536000", 60), ("s-maxage=60", 60),
            ("max-age=60, stale-while-revalidate=600, proxy-revalidate", 60), ("max-age=0, s-maxage=60", 0),
        ])
    func shortestLifetimeOfTheSourceIsSent(control: String, lifetime: Int) async throws {
        let image = try Data(contentsOf: fixtureFolder.appending(path: "png-3x5.png"))
        let loader = FakeLoader { request in
            let headers = ["cache-control": control]
            return LoadResponse(
                .data(image), metadata: ResponseMetadata(url: request.url, status: 200, headers: headers))
        }
        try await TestServer(loader: loader).run { client, _ in
            let response = try await client.execute(uri: Self.path, method: .get)
            let field = try #require(response.headers[.cacheControl])
            guard lifetime > 0 else {
                #expect(field == "public, no-cache")
                return
            }
            #expect(field.hasPrefix("public, max-age=") && !field.contains("stale"), "\(field)")
            let seconds = try #require(Int(field.dropFirst("public, max-age=".count)))
            // Some time has passed since it was received.
            #expect((lifetime - 10...lifetime).contains(seconds))
        }
    }
}
