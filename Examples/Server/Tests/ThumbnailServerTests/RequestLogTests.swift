import DarkroomTestKit
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import Testing

@testable import ThumbnailServer
@testable import ThumbnailServerProgram

/// The lines that requests leave in the log at the level `debug`.
@Suite(.bounded, .bug(id: "Fix secrets of sources in base64url in the log"))
struct RequestLogTests {
    private static let url = "https://127.0.0.1/a.jpg?token=s3cret"
    private static let encoded = Data(url.utf8).base64URL
    private static let redacted = "/insecure/-/https://127.0.0.1/a.jpg?token=REDACTED"

    @Test(
        arguments: [
            ("/insecure/-/\(encoded)", redacted), ("/insecure/-/\(encoded).webp", redacted),
            ("/insecure/-/https%3A%2f%2f127.0.0.1%2Fa.jpg%3Ftoken%3Ds3cret", redacted),
            ("/insecure/-/\(url)", redacted), ("/insecure/-/\(encoded)==", "/insecure/-/REDACTED"),
            ("//insecure/-/\(encoded)", nil), ("/-/\(encoded)", nil), ("/\(encoded)", nil),
            ("/health?token=s3cret", nil),
        ] as [(String, String?)])
    func requestIsLoggedWithoutSecrets(path: String, logged: String?) async throws {
        let log = try await answer(path).log
        #expect(log.contains("hb.request.path=\(logged ?? "/")"), "\(log)")
        #expect(!log.contains("s3cret") && !log.contains(Self.encoded), "\(log)")
    }

    @Test func routesGetTheRequestAsItIs() async throws {
        let source = Data("sample/jpeg-420.jpg".utf8).base64URL
        let answer = try await answer("/insecure/-/\(source).png")
        #expect(answer.type == "image/png")
        #expect(answer.log.contains("hb.request.path=/insecure/-/sample/jpeg-420.jpg "), "\(answer.log)")
    }

    /// Returns the type of the response to a request for `path`, and everything that the server has logged until then.
    private func answer(_ path: String) async throws -> (type: String?, log: String) {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let written = Mutex(Data())
        let output = LogOutput { data in written.withLock { $0 += data } }
        let logger = Logger(label: "server") { LineLogHandler(label: $0, level: .debug, format: .text, output: output) }
        let service = try await ThumbnailService(
            ["--sources-samples", fixtureFolder.path], folder: folder.url, logger: logger)
        let type = try await Self.contentType(of: path, from: service.responder, logger: logger)
        output.flush(within: .seconds(60))
        return (type, String(decoding: written.withLock { $0 }, as: UTF8.self))
    }

    private static func contentType(
        of path: String, from responder: some HTTPResponder<ThumbnailContext>, logger: Logger
    ) async throws -> String? {
        try await Application(responder: responder, logger: logger).test(.ahc(.http)) { client in
            try await client.execute(uri: path, method: .get).headers[.contentType]
        }
    }
}
