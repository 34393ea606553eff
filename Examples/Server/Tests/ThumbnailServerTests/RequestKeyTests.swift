import Darkroom
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ThumbnailServer

/// Requests whose texts are equal as strings, but not byte for byte.
@Suite(.bounded, .bug(id: "Fix requests that are taken for canonically equivalent ones"))
struct RequestKeyTests {
    private static func head(_ path: String, _ fields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path, headerFields: fields)
    }

    private static func routes(_ configure: (inout ThumbnailSettings) -> Void) throws -> ThumbnailRoutes {
        var settings = ThumbnailSettings()
        configure(&settings)
        return try ThumbnailRoutes(ImageManager { $0.install(StandardPlugins()) }, settings: settings)
    }

    @Test(
        arguments: [("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("\u{E9}", "e\u{301}")],
        [nil, .accept, .pixelRatioHint, .widthHint] as [HTTPField.Name?])
    func keysAreComparedByteForByte(_ texts: (String, String), field: HTTPField.Name?) {
        func key(_ text: String) -> RequestKey {
            guard let field else { return RequestKey(Self.head("/\(text)")) }
            return RequestKey(Self.head("/", [field: text]))
        }
        #expect(texts.0 == texts.1)
        #expect(key(texts.0) == key(texts.0) && key(texts.0) != key(texts.1))
        #expect(Set([key(texts.0), key(texts.1), key(texts.0)]).count == 2)
    }

    @Test func signatureIsCheckedForEachSpelling() throws {
        let routes = try Self.routes {
            $0.signer = PathSigner(keys: [Data("0123456789abcdef".utf8)])
            $0.sources.sampleFolder = fixtureFolder
        }
        let path = "/\(PathSignerTests.known)/-/sample/a.jpg"
        _ = try routes.thumbnailRequest(for: Self.head(path))
        let other = path.replacing("K", with: "\u{212A}")
        #expect(other == path && other.utf8.count > path.utf8.count)
        let problem = #expect(throws: Problem.self) { try routes.thumbnailRequest(for: Self.head(other)) }
        #expect(problem?.status == .forbidden)
    }

    @Test func sourcesOfEachSpellingDiffer() throws {
        let routes = try Self.routes { $0.allowsInsecure = true }
        let sources = try ["caf\u{E9}", "cafe\u{301}"].map { name in
            let path = "/insecure/-/https://example.com/\(name).jpg"
            return try routes.thumbnailRequest(for: Self.head(path)).image.key?.source
        }
        #expect(sources == ["https://example.com/caf%C3%A9.jpg", "https://example.com/cafe%CC%81.jpg"])
    }

    /// A field may contain such bytes. The Greek question mark separates nothing, so the first client does not name WebP.
    @Test func formatIsNegotiatedForEachSpelling() async throws {
        try await TestServer().run { client, _ in
            let port = try #require(client.port)
            for (separator, type) in [("\u{37E}", "image/jpeg"), (";", "image/webp")] {
                let request =
                    "GET /insecure/-/sample%2Fjpeg-420.jpg HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                    + "Accept: image/webp\(separator)q=1,*/*\r\n\r\n"
                let text = try await RawClient.exchange(request.utf8, port: port)
                #expect(text.lowercased().contains("\r\ncontent-type: \(type)\r\n"), "\(text.prefix(500))")
            }
        }
    }

    /// The decoder of HTTP/1.1 accepts only ASCII in targets. Those of HTTP/2 may contain any bytes.
    @Test(arguments: ["/insecure/-/sample/\u{212A}.jpg", "/insecure/-/https://example.com/a.jpg?\u{37E}"])
    func decoderRefusesTargetsWithOtherBytes(target: String) throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false)
        let request = ByteBuffer(string: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(throws: HTTPParserError.self) { try channel.writeInbound(request) }
    }
}
