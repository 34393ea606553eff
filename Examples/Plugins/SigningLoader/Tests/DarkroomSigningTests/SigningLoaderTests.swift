import DarkroomCore
import DarkroomSigning
import DarkroomTestKit
import Foundation
import Testing

struct SigningLoaderTests {
    private let base = FakeLoader(Data("bytes".utf8))
    private let key = Data("0123456789abcdef".utf8)

    private func loader(at seconds: Double = 1_700_000_000) -> SigningLoader<FakeLoader> {
        SigningLoader(base, key: key, hosts: ["Images.example"]) { Date(timeIntervalSince1970: seconds) }
    }

    /// Returns the URL that the base receives for `text`.
    private func signed(_ text: String, at seconds: Double = 1_700_000_000) async throws -> String? {
        let url = try #require(URL(string: text))
        _ = try await loader(at: seconds).load(LoadRequest(url: url))
        return base.requests.last?.url.absoluteString
    }

    // printf '%s' '/a.jpg?expires=1700006400' | openssl dgst -sha256 -hmac 0123456789abcdef
    @Test(arguments: [
        (
            "https://images.example/a.jpg",
            "?expires=1700006400&signature="
                + "8fac5d6be277cd83e2672f29c03db232f30d299e02a005f06dc7ab388821b759"
        ),
        (
            "https://IMAGES.example/a%20b.jpg?w=2",
            "&expires=1700006400&signature="
                + "4b23ece392af6e436cfbb605240b2d7ab06f970fa79f337abb820494e02a08c8"
        ),
    ])
    func requestsAreSignedAsOpenSSLSigns(url: String, addition: String) async throws {
        #expect(try await signed(url) == url + addition)
    }

    @Test(arguments: ["https://other.example/a.jpg", "https://images.example.org/a.jpg", "file:///a.jpg"])
    func requestsToOtherHostsAreUnchanged(url: String) async throws { #expect(try await signed(url) == url) }

    @Test func urlChangesOncePerLifetimeAndStaysValidThatLong() async throws {
        let url = "https://images.example/a.jpg"
        let first = try await signed(url, at: 1_699_999_200)
        #expect(try await signed(url, at: 1_700_002_799) == first)
        #expect(first?.contains("expires=1700006400") == true)
        #expect(try await signed(url, at: 1_700_002_800)?.contains("expires=1700010000") == true)
    }

    @Test func cacheKeysContainNoSignature() async throws {
        let manager = try ImageManager { $0.install(loader()) }
        let url = try #require(URL(string: "https://images.example/a.jpg"))
        #expect(manager.key(for: url)?.source == url.absoluteString)
    }

    @Test func baseChecksTheSignedURL() throws {
        let url = try #require(URL(string: "https://images.example/a.jpg"))
        let loader = SigningLoader(SignedOnly(), key: key, hosts: ["images.example"])
        let request = LoadRequest(url: url)
        #expect(throws: ImageError.self) { try SignedOnly().check(request) }
        try loader.check(request)
        #expect(loader.requestFields(for: request) == ["x-signed": "true"])
        #expect(loader.permits(nil, for: request) && !SignedOnly().permits(nil, for: request))
    }

    @Test(arguments: [
        ("short", ["a.example"], 60), ("0123456789abcdef", [], 60), ("0123456789abcdef", ["a.example"], 0),
    ])
    func invalidConfigurationIsRefused(key: String, hosts: [String], lifetime: Int) {
        let loader = base.signing(hosts, key: Data(key.utf8), lifetime: lifetime)
        #expect(throws: ImageError.self) { try loader.validate() }
    }

    @Test func loaderMeetsTheContract() async throws {
        let bytes = Data("bytes".utf8)
        let base = FakeLoader(version: "7") { request in
            try request.context.limits.check(encodedByteCount: bytes.count)
            return LoadResponse(.data(bytes))
        }
        let loader = base.signing(["images.example"], key: key)
        let url = try #require(URL(string: "https://images.example/a.jpg"))
        #expect(loader.localVersion(of: url)?.read() == "7")
        try await LoaderContract(loader).checkAll(url, returns: bytes)
    }
}

/// A loader that accepts signed URLs only.
private struct SignedOnly: ImageLoader {
    func canLoad(_ url: URL) -> Bool { true }

    func load(_ request: LoadRequest) async throws -> LoadResponse { LoadResponse(.data(Data())) }

    func requestFields(for request: LoadRequest) -> [String: String] { ["x-signed": "\(isSigned(request))"] }

    func check(_ request: LoadRequest) throws(ImageError) {
        guard isSigned(request) else { throw ImageError(.refused, .request, "the URL is not signed") }
    }

    func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool { isSigned(request) }

    private func isSigned(_ request: LoadRequest) -> Bool { request.url.query()?.contains("signature=") == true }
}
