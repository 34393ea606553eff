import HummingbirdTesting
import Testing

@testable import ThumbnailServer

/// The path of metrics, by which a proxy hides them.
@Suite(.bounded, .bug(id: "Fix metrics that are served under paths that a proxy does not hide"))
struct MetricsPathTests {
    @Test(arguments: [
        ("/metrics", 200), ("/metrics?a", 200), ("/metrics/", 404), ("/metrics/?a", 404), ("//metrics", 404),
        ("/metrics//", 404), ("/metrics/.", 404), ("/%6Detrics", 404),
    ])
    func metricsHaveOnePath(path: String, status: Int) async throws {
        try await TestServer().run { client, _ in
            let request = "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let text = try await RawClient.exchange(request.utf8, port: #require(client.port))
            #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
        }
    }
}
