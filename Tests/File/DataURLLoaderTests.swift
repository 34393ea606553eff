import DarkroomCore
import DarkroomFile
import FoundationEssentials
import Testing

struct DataURLLoaderTests {
    private let loader = DataURLLoader()

    private func data(_ text: String, byteLimit: Int? = nil) async throws -> Data {
        let url = try #require(URL(string: text))
        var context = ImageContext()
        if let byteLimit { context.limits.encodedByteCount = byteLimit }
        #expect(loader.canLoad(url))
        let response = try await loader.load(LoadRequest(url: url, context: context))
        guard case .data(let data) = response.body else { throw ImageError(.internal, .load, "it is not data") }
        return data
    }

    private func expectError(_ kind: ImageError.Kind, _ text: String, byteLimit: Int? = nil) async throws {
        let error = try await #require(throws: ImageError.self) { _ = try await data(text, byteLimit: byteLimit) }
        #expect(error.kind == kind && error.stage == .load, "\(error)")
        #expect(!loader.remembers(error))
    }

    @Test(arguments: [
        ("data:,A%20brief%20note", "A brief note"),
        ("data:,", ""),
        ("data:text/plain;charset=utf-8,a,b", "a,b"),
        ("data:image/png;base64,aGVsbG8=", "hello"),
        ("DATA:image/png;BASE64,aGVsbG8=", "hello"),
        ("data:;base64,aGVsbG8", "hello"),
        ("data:image/png;name=a.png;base64,aGVsbG8=", "hello"),
        ("data:image/png;base64,aGVs%0AbG8%3D", "hello"),
        ("data:image/png; base64,aGVsbG8=", "hello"),
        ("data:image/png;%20%20base64,aGVsbG8=", "hello"),
        ("data:image/png;%2base64,aGVsbG8=", "aGVsbG8="),
        ("data:base64,aGVsbG8=", "aGVsbG8="),
        ("data:image/png;base64;a=b,aGVsbG8=", "aGVsbG8="),
        ("data:;base64,", ""),
        ("data:,a#fragment", "a"),
        ("data:,100%25", "100%"),
        ("data:image/svg+xml,%3Csvg%2F%3E", "<svg/>"),
    ])
    func textBetweenCommaAndFragmentIsDecoded(_ text: String, _ expected: String) async throws {
        #expect(try await data(text) == Data(expected.utf8))
    }

    @Test func everyByteCanBeEscaped() async throws {
        let bytes = (UInt8.min...UInt8.max).map(\.self)
        let escaped = bytes.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(try await data("data:," + escaped) == Data(bytes))
        #expect(try await data("data:;base64," + Data(bytes).base64EncodedString()) == Data(bytes))
    }

    @Test(arguments: ["data:", "data:image/png", "data:image/png;base64", "data:#a,b"])
    func urlWithoutCommaIsInvalid(_ text: String) async throws {
        try await expectError(.invalidURL, text)
    }

    @Test(arguments: ["a", "aGVsbG8!", "aGV*", "====", "a===", "aG=s", "aGVsbG8==="])
    func brokenBase64IsCorrupt(_ text: String) async throws {
        try await expectError(.corrupt, "data:image/png;base64," + text)
    }

    @Test(arguments: ["data:,12345", "data:;base64,MTIzNDU=", "data:;base64,MTIzNDU", "data:,%31%32%33%34%35"])
    func limitAppliesToTheDecodedBytes(_ text: String) async throws {
        #expect(try await data(text, byteLimit: 5).count == 5)
        try await expectError(.overLimit, text, byteLimit: 4)
    }

    @Test func allDataURLsHaveTheSameVersion() throws {
        #expect(loader.localVersion(of: try #require(URL(string: "data:,a")))?.read() == "data")
    }

    @Test func keysOfLongURLsContainTheirDigest() throws {
        let manager = try ImageManager { $0.install(DataURLLoader()) }
        func key(_ text: String) throws -> String? { manager.key(for: try #require(URL(string: text)))?.source }
        let text = "data:,".padding(256)
        #expect(try key(text) == text)
        let digest = "data:sha256,ae47ac662bc1e783d1cf061810b1d22c227b53521e61a679a4bb7a443bed194e"
        #expect(try key("data:,".padding(257)) == digest)
        #expect(try key("DATA:,".padding(257)) != digest)
        #expect(try key("http://a/".padding(1000)) == "http://a/".padding(1000))
    }
}

extension String {
    /// The text with as many `x` as make it `count` long.
    fileprivate func padding(_ count: Int) -> String { self + String(repeating: "x", count: count - utf8.count) }
}
