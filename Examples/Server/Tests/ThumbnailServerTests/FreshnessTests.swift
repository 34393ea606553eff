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
}
