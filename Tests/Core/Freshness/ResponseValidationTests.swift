@testable import DarkroomCore
import FoundationEssentials
import Testing

struct ResponseValidationTests {
    private func response(_ headers: [String: String], _ url: String = "http://a/b") -> ResponseMetadata {
        ResponseMetadata(url: URL(string: url)!, status: 200, headers: headers)
    }

    @Test(
        arguments: [
            (["etag": "\"1\""], ["etag": "\"1\""], true), (["etag": "\"1\""], ["etag": "\"2\""], false),
            (["etag": "W/\"1\""], ["etag": "W/\"1\""], true), (["etag": "\"1\""], ["etag": "W/\"1\""], true),
            (["etag": "W/\"1\""], ["etag": "\"1\""], false), (["etag": "W/\"1\""], ["etag": "W/\"2\""], false),
            (["last-modified": "a"], ["etag": "\"1\""], false), (["etag": "\"1\""], [:], true),
            (["last-modified": "a"], ["last-modified": "a"], true),
            (["last-modified": "a"], ["last-modified": "b"], false), (["last-modified": "a"], [:], true),
            (["etag": "\"1\"", "last-modified": "a"], ["etag": "\"1\"", "last-modified": "b"], true),
        ] as [([String: String], [String: String], Bool)])
    func notModifiedMustSelectTheStoredResponse(stored: [String: String], received: [String: String], confirms: Bool) {
        #expect(response(stored).isConfirmed(by: response(received)) == confirms)
    }

    @Test(
        arguments: [
            (["etag": "\"1\""], ["etag": "\"1\""], true), (["etag": "\"1\""], ["etag": "\"2\""], false),
            (["etag": "\"1\""], [:], false), (["etag": "\"1\""], ["etag": "W/\"1\""], false),
            (["etag": "W/\"1\""], ["etag": "W/\"1\""], false), (["last-modified": "a"], [:], false),
            (["last-modified": "a"], ["last-modified": "a"], false),
            (["etag": "\"1\"", "last-modified": "a"], ["last-modified": "a"], false),
        ] as [([String: String], [String: String], Bool)])
    func notModifiedFromAnotherURLNeedsTheStrongTag(
        stored: [String: String], received: [String: String], confirms: Bool
    ) {
        let newer = response(received, "http://a/c")
        #expect(response(stored).isConfirmed(by: newer) == confirms)
        #expect(response(stored).updated(by: newer).url == newer.url)
    }

    @Test func fieldsOfANotModifiedReplaceStoredOnes() {
        let stored = response([
            "cache-control": "max-age=1", "content-length": "9", "content-type": "image/png", "etag": "\"1\"",
            "age": "50", "date": "yesterday",
        ])
        let updated = stored.updated(
            by: response([
                "cache-control": "max-age=2", "content-length": "0", "content-type": "text/html", "age": "3",
                "connection": "x-hop", "x-hop": "1", "keep-alive": "timeout=5",
            ]))
        #expect(
            updated.headers == [
                "cache-control": "max-age=2", "content-length": "9", "content-type": "image/png", "etag": "\"1\"",
                "age": "3",
            ])
    }

    @Test func fieldsNamedByNoCacheAreNotStored() {
        let stored = response([
            "cache-control": "no-cache=\"X-User , x-b\"", "x-user": "me", "x-b": "1", "etag": "\"1\"",
        ])
        #expect(Set(stored.storable.headers.keys) == ["cache-control", "etag"])
    }

    @Test func onlyAStrongTagRevalidatesForOtherFields() {
        let strong = response(["etag": "\"1\"", "last-modified": "a"])
        #expect(strong.forOtherFields?.headers == ["etag": "\"1\""])
        #expect(response(["etag": "W/\"1\"", "last-modified": "a"]).forOtherFields == nil)
        #expect(response(["last-modified": "a"]).forOtherFields == nil)
    }
}

struct VariedFieldsTests {
    private func varied(_ vary: String?, _ sent: [String: String]) -> VariedFields {
        let headers = vary.map { ["vary": $0] } ?? [:]
        return VariedFields(
            of: ResponseMetadata(url: URL(string: "http://a")!, status: 200, headers: headers), sent: sent)
    }

    @Test func fieldsNotNamedByVaryDoNotCount() {
        #expect(varied(nil, ["accept": "a"]).isEmpty)
        #expect(varied("", ["accept": "a"]).isEmpty)
        #expect(varied("Accept-Language", ["accept": "a"]).match(["accept": "b"]))
    }

    @Test func fieldsNamedByVaryMustMatchExceptForWhitespace() {
        let accept = varied(" Accept , origin", ["accept": "image/webp, image/*;q=0.8"])
        #expect(accept.fields == ["accept": "image/webp,image/*;q=0.8", "origin": ""])
        #expect(accept.match(["accept": "image/webp ,\timage/*;q=0.8", "dnt": "1"]))
        #expect(!accept.match(["accept": "image/webp"]))
        #expect(!accept.match([:]))
        #expect(!accept.match(["accept": "image/webp,image/*;q=0.8", "origin": "http://b"]))
    }

    @Test func starNamesAllFields() {
        let all = varied("accept, *", [:])
        #expect(all.isWildcard && !all.isEmpty && all.fields == ["accept": ""])
    }

    @Test func credentialsAreNotStoredAndNeverMatch() {
        let secret = varied("Cookie, Authorization", ["authorization": "Bearer 1"])
        #expect(!"\(secret)".contains("Bearer"))
        #expect(!secret.match(["authorization": "Bearer 1"]))
        #expect(!secret.match(["authorization": "*"]))
        #expect(!secret.match([:]))
        #expect(varied("Cookie", [:]).match([:]))
    }
}
