import Foundation
import HummingbirdTesting
import Testing

@testable import ThumbnailServer

/// The rules of HTTP that neither the decoder nor Hummingbird enforces, over real sockets.
@Suite(.bounded, .bug(id: "Fix connections of HTTP/1.0 clients that stay open"))
struct ProtocolRulesTests {
    /// If the server did not close the connection, the test would wait.
    @Test(arguments: [
        "GET /health HTTP/1.0\r\n\r\n", "GET /health HTTP/1.0\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a\r\nConnection: TE, close\r\n\r\n",
    ])
    func connectionEndsAfterTheResponse(request: String) async throws {
        try await TestServer().run { client, _ in
            let text = try await RawClient.exchange(request.utf8, port: #require(client.port))
            #expect(text.hasPrefix("HTTP/1.1 200 OK") && text.hasSuffix("alive\n"))
            #expect(text.lowercased().contains("connection: close"))
        }
    }

    @Test func olderClientMayKeepTheConnection() async throws {
        try await TestServer().run { client, _ in
            let request = "GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
            let text = try await RawClient.exchange((request + request).utf8, port: #require(client.port)) {
                $0.components(separatedBy: "alive\n").count > 2
            }
            #expect(text.components(separatedBy: "keep-alive\r\n").count == 3)
        }
    }

    @Test(arguments: [
        ("", 400), ("Host: a\r\nHost: a\r\n", 400), ("Host: a\r\nhost: b\r\n", 400), ("Host: a b\r\n", 400),
        ("Host: a/b\r\n", 400), ("Host: user@a\r\n", 400), ("Host: [::1]:80\r\n", 200), ("Host: a.b-c_d:8080\r\n", 200),
        ("Host:\r\n", 200),
    ])
    func requestHasExactlyOneHost(fields: String, status: Int) async throws {
        try await TestServer().run { client, _ in
            let first = "GET /ready HTTP/1.1\r\nHost: a\r\n\r\n"
            let request = "GET /health HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n"
            // What follows an invalid request is not a request.
            let text = try await RawClient.exchange((first + request + first).utf8, port: #require(client.port))
            let statuses = text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(statuses == ["200", "\(status)"], "\(text)")
        }
    }
}
