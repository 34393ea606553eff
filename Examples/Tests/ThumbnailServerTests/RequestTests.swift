import Darkroom
import Foundation
import HTTPTypes
import Testing

@testable import ThumbnailServer

struct RequestTests {
    @Test func aPathHasThreeParts() throws {
        let path = try ThumbnailPath("/abc/blur:3/https://example.com/a/b.jpg?c=d")
        #expect(path.signature == "abc")
        #expect(path.options == "blur:3")
        #expect(path.source == "https://example.com/a/b.jpg?c=d")
        #expect(path.signedText == "/blur:3/https://example.com/a/b.jpg?c=d")
        #expect(try ThumbnailPath("/abc/-/x").options == "")
    }

    @Test(arguments: ["", "/", "/a", "/a/b", "/a/b/", "/a/b/" + String(repeating: "x", count: 9000)])
    func otherPathsAreProblems(text: String) {
        #expect(throws: Problem.self) { try ThumbnailPath(Substring(text)) }
    }

    @Test(arguments: [
        "https%3A%2F%2Fexample.com%2Fa.jpg", "https://example.com/a.jpg", "aHR0cHM6Ly9leGFtcGxlLmNvbS9hLmpwZw",
        "aHR0cHM6Ly9leGFtcGxlLmNvbS9hLmpwZw==",
    ])
    func sourcesArePlainOrInBase64URL(text: String) throws {
        let source = try SourceText(Substring(text))
        #expect(source.url == "https://example.com/a.jpg")
        #expect(source.format == nil)
    }

    @Test func aSourceMayEndInAFormat() throws {
        #expect(try SourceText("https://example.com/a.jpg@webp").format == .webp)
        #expect(try SourceText("https://example.com/a.jpg@webp").url == "https://example.com/a.jpg")
        #expect(try SourceText("aHR0cHM6Ly9leGFtcGxlLmNvbS9hLmpwZw.jpg").format == .jpeg)
        #expect(try SourceText("https://example.com/cat@2x.png").url == "https://example.com/cat@2x.png")
    }

    @Test(arguments: ["????", "_", "%FF", "aGk!"])
    func sourcesThatAreNeitherAreProblems(text: String) {
        #expect(throws: Problem.self) { try SourceText(Substring(text)) }
    }

    @Test(arguments: [
        ("image/webp", "image/webp", 1.0), ("image/webp;q=0", "image/webp", 0), ("image/*;q=0.4", "image/webp", 0.4),
        ("*/*;q=0.1, image/webp;q=0.9", "image/webp", 0.9), ("text/html", "image/webp", 0), ("", "image/webp", 1),
        ("image/webp; Q=0.5", "image/webp", 0.5), ("IMAGE/WEBP;q=7", "image/webp", 1), ("*/*", "image/png", 1),
        ("image/webp;q=x", "image/webp", 0), ("image/*, image/webp;q=0", "image/webp", 0),
    ])
    func acceptIsReadWithItsQualities(text: String, type: String, quality: Double) {
        #expect(AcceptHeader(text).quality(of: type) == quality)
    }

    @Test func aTypeIsNamedOnlyByItself() {
        #expect(AcceptHeader("image/webp,*/*").names("image/webp"))
        #expect(!AcceptHeader("*/*").names("image/webp"))
        #expect(!AcceptHeader("image/webp;q=0").names("image/webp"))
    }

    @Test(arguments: [
        (["\"a\""], true), (["W/\"a\""], true), (["*"], true), (["\"b\", \"a\""], true), (["\"b\"", " \"a\" "], true),
        (["\"b\""], false), ([], false), (["a"], false),
    ])
    func entityTagsAreLookedForInLists(fields: [String], isThere: Bool) {
        #expect(EntityTags.match(fields, "\"a\"") == isThere)
    }

    @Test(arguments: [
        ("1", 1.0), ("1.5", 1.5), ("2.625", 2.75), ("9", 4), ("0.3", 1), ("-1", 1), ("nan", 1), ("", 1), ("inf", 1),
    ])
    func pixelRatiosAreBoundedAndFew(text: String, ratio: Double) throws {
        #expect(ClientHints(pixelRatio: text, width: nil).pixelRatio == ratio)
    }

    @Test(arguments: [("320", 400.0), ("400", 400), ("1e9", 8000), ("0", nil), ("x", nil)] as [(String, Double?)])
    func widthsAreBoundedAndFew(text: String, width: Double?) throws {
        #expect(ClientHints(pixelRatio: nil, width: text).width == width)
    }
}

struct SourcePolicyTests {
    private func isAllowed(_ url: String, _ prefixes: String...) -> Bool {
        (try? SourcePolicy(prefixes: prefixes).url(url)) != nil
    }

    @Test func aPrefixEndsWhereAPartOfAPathEnds() {
        #expect(isAllowed("https://cdn.example.com/a.jpg", "https://cdn.example.com/"))
        #expect(isAllowed("HTTPS://CDN.example.com/a.jpg", "https://cdn.example.com"))
        #expect(isAllowed("https://cdn.example.com/pictures/a.jpg", "https://cdn.example.com/pictures"))
        #expect(!isAllowed("https://cdn.example.com/pictures-private/a.jpg", "https://cdn.example.com/pictures"))
        #expect(!isAllowed("https://cdn.example.com/pictures/../secret.jpg", "https://cdn.example.com/pictures"))
        #expect(!isAllowed("https://cdn.example.com/pictures/%2e%2e/secret.jpg", "https://cdn.example.com/pictures"))
        #expect(!isAllowed("https://cdn.example.com.evil.org/a.jpg", "https://cdn.example.com"))
        #expect(!isAllowed("http://cdn.example.com/a.jpg", "https://cdn.example.com"))
        #expect(!isAllowed("https://cdn.example.com:8443/a.jpg", "https://cdn.example.com"))
        #expect(isAllowed("https://cdn.example.com:443/a.jpg", "https://cdn.example.com"))
    }

    @Test func aStarStandsForHostsBelow() {
        #expect(isAllowed("https://a.example.com/x", "https://*.example.com/"))
        #expect(isAllowed("https://a.b.example.com/x", "https://*.example.com"))
        #expect(!isAllowed("https://example.com/x", "https://*.example.com"))
        #expect(!isAllowed("https://evilexample.com/x", "https://*.example.com"))
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://example.com/a", "data:image/png;base64,AA", "//example.com/a", "a.jpg", "",
        "https://", "https://user:secret@example.com/a.jpg",
    ])
    func othersAreProblems(url: String) {
        #expect(throws: Problem.self) { try SourcePolicy().url(url) }
    }

    @Test(arguments: [
        "sample/../a.jpg", "sample/.hidden", "sample/", "sample/a/b.jpg", "sample/none.jpg", "sample/a\0",
    ])
    func samplesAreFilesOfOneFolder(name: String) throws {
        let folder = FileManager.default.temporaryDirectory
        #expect(throws: Problem.self) { try SourcePolicy(sampleFolder: folder).url(name) }
    }
}
