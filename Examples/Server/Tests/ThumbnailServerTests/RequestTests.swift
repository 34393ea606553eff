import Darkroom
import Foundation
import HTTPTypes
import Testing

@testable import ThumbnailServer

struct RequestTests {
    @Test func pathHasThreeParts() throws {
        let path = try ThumbnailPath("/abc/blur:3/https://example.com/a/b.jpg?c=d")
        #expect(path.signature == "abc")
        #expect(path.options == "blur:3")
        #expect(path.source == "https://example.com/a/b.jpg?c=d")
        #expect(path.signedText == "/blur:3/https://example.com/a/b.jpg?c=d")
        #expect(try ThumbnailPath("/abc/-/x").options == "")
    }

    @Test(arguments: [
        "", "/", "/a", "/a/b", "/a/b/", "/a/b/" + String(repeating: "x", count: 9000), "//a/b/c", "/a//b/c", "/a//c",
        "a/b/c", "http://localhost/a/b/c",
    ])
    func otherPathsAreProblems(text: String) {
        #expect(throws: Problem.self) { try ThumbnailPath(Substring(text)) }
    }

    @Test(arguments: [
        "https%3A%2F%2Fexample.com%2Fa.jpg", "https://example.com/a.jpg", "aHR0cHM6Ly9leGFtcGxlLmNvbS9hLmpwZw",
    ])
    func sourcesAreURLsOrBase64URL(text: String) throws {
        let source = try SourceComponent(Substring(text))
        #expect(source.url == "https://example.com/a.jpg")
        #expect(source.format == nil)
    }

    @Test func sourceMayEndInAFormat() throws {
        #expect(try SourceComponent("https://example.com/a.jpg@webp").format == .webp)
        #expect(try SourceComponent("https://example.com/a.jpg@webp").url == "https://example.com/a.jpg")
        #expect(try SourceComponent("aHR0cHM6Ly9leGFtcGxlLmNvbS9hLmpwZw.jpg").format == .jpeg)
        #expect(try SourceComponent("https://example.com/cat@2x.png").url == "https://example.com/cat@2x.png")
    }

    @Test(arguments: [
        "????", "_", "%FF", "%C3%28", "%+1", "% 1", "aGk!", "%", "%2", "%zz", "aGk=", "aGl", "aG+a", "aGk\u{301}",
        "aHR0cHM6Ly9leGFtcGxlLmNvbS9hLmpwZw==",
    ])
    func invalidSourcesAreProblems(text: String) {
        #expect(throws: Problem.self) { try SourceComponent(Substring(text)) }
    }

    @Test(arguments: [
        ("image/webp", "image/webp", 1.0), ("image/webp;q=0", "image/webp", 0), ("image/*;q=0.4", "image/webp", 0.4),
        ("*/*;q=0.1, image/webp;q=0.9", "image/webp", 0.9), ("text/html", "image/webp", 0), ("", "image/webp", 1),
        ("image/webp; Q=0.5", "image/webp", 0.5), ("IMAGE/WEBP;q=7", "image/webp", 1), ("*/*", "image/png", 1),
        ("image/webp;q=x", "image/webp", 0), ("image/*, image/webp;q=0", "image/webp", 0),
    ])
    func qualitiesOfAcceptAreParsed(text: String, type: String, quality: Double) {
        #expect(AcceptHeader(text).quality(of: type) == quality)
    }

    @Test(arguments: [
        ("image/avif,image/webp,*/*;q=0.8", [ImageFormat.avif, .webp]), ("image/webp,*/*", [.webp]), ("*/*", []),
        ("", []),
        ("image/avif;q=0.5,image/webp,*/*;q=0.1", [.webp, .avif]), ("image/avif;q=0,image/webp", [.webp]),
        ("image/avif;q=0.5,image/*;q=0.8", []), ("image/avif,image/webp;q=0.3,image/png;q=0.5", [.avif]),
        ("image/jxl,image/svg+xml,image/*", []),
    ])
    func compactFormatsAreThoseThatTheClientNames(accept: String, formats: [ImageFormat]) {
        let all: [ImageFormat] = [.avif, .webp, .jpeg, .png, .gif, .bmp]
        #expect(AcceptHeader(accept).compactFormats(among: all) == formats)
        let older = AcceptHeader(accept).compactFormats(among: [.webp, .jpeg])
        #expect(older == formats.filter { $0 == .webp })
    }

    @Test func onlyExactTypesAreListed() {
        #expect(AcceptHeader("image/webp,*/*").names("image/webp"))
        #expect(!AcceptHeader("*/*").names("image/webp"))
        #expect(!AcceptHeader("image/webp;q=0").names("image/webp"))
    }

    @Test(arguments: [
        (["\"a\""], true), (["W/\"a\""], true), (["*"], true), (["\"b\", \"a\""], true), (["\"b\"", " \"a\" "], true),
        (["\"b\""], false), ([], false), (["a"], false), (["\"a\"\u{301}"], false), (["*,\u{301}"], true),
    ])
    func entityTagsAreFoundInLists(fields: [String], isMatch: Bool) {
        #expect(IfNoneMatch.matches("\"a\"", in: fields) == isMatch)
    }

    @Test(arguments: [
        ("1", 1.0), ("1.5", 1.5), ("2.625", 2.75), ("9", 4), ("0.3", 1), ("-1", 1), ("nan", 1), ("", 1), ("inf", 1),
        ("2e0", 1), (".", 1), ("2.", 2), ("2\u{301}", 1), ("99999999999999999", 1),
    ])
    func pixelRatiosAreClampedAndQuantized(text: String, ratio: Double) throws {
        #expect(ClientHints(pixelRatio: text, width: nil).pixelRatio == ratio)
    }

    @Test(
        arguments: [
            ("320", 400.0), ("400", 400), ("1000000000", 8000), ("1e9", nil), ("0x99", nil), ("+320", nil), ("0", nil),
            ("x", nil),
        ] as [(String, Double?)])
    func widthsAreClampedAndQuantized(text: String, width: Double?) throws {
        #expect(ClientHints(pixelRatio: nil, width: text).width == width)
    }
}
