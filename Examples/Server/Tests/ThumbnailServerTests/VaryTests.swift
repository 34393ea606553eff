import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import ThumbnailServer

/// Caches select a stored error by the header fields that select a picture.
@Suite(.bounded, .bug(id: "Fix errors that caches send to clients with other header fields"))
struct VaryTests {
    @Test func errorOfAHintIsOnlyForThatHint() async throws {
        try await TestServer {
            $0.pixelLimit = 1600
        }.run { client, _ in
            let path = "/insecure/resize:20x20,stretch+dpr:auto/sample%2Fjpeg-420.jpg"
            let shown = try await client.execute(uri: path, method: .get)
            #expect(shown.status == .ok && shown.headers[.vary] == "Accept, Sec-CH-DPR")
            let refused = try await client.execute(uri: path, method: .get, headers: [.pixelRatioHint: "4"])
            #expect(refused.status == .badRequest)
            #expect(refused.headers[.vary] == "Accept, Sec-CH-DPR, Sec-CH-Width")
        }
    }

    @Test(
        arguments: [
            "/insecure/blur:x/sample%2Fjpeg-420.jpg", "/insecure/-/sample%2Fnone.jpg",
            "/wrong/-/sample%2Fjpeg-420.jpg", "/insecure/-/sample%2FREADME.md",
            "/insecure/pad:left=1000000/sample%2Fjpeg-420.jpg",
        ], [false, true])
    func cacheableErrorVaries(path: String, hasFallback: Bool) async throws {
        let fallback = try Data(contentsOf: fixtureFolder.appending(path: "gif-1x1.gif"))
        try await TestServer {
            $0.fallback = hasFallback ? fallback : nil
        }.run { client, _ in
            let response = try await client.execute(uri: path, method: .get)
            #expect(response.headers[.cacheControl] == "public, max-age=10", "\(response.status)")
            #expect(response.headers[.vary] == "Accept, Sec-CH-DPR, Sec-CH-Width")
        }
    }
}
