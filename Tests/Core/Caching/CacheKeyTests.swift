import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct CacheKeyTests {
    private static let thumbnail = Thumbnail.fit(200, 150.5).description

    @Test(arguments: [
        ("https://example.com/photo.png", "https://example.com/photo-Thumbnail(%7B200.000000,150.500000%7D,1).png"),
        (
            "https://example.com/photo.png?w=100&u=a/b.jpg#top",
            "https://example.com/photo-Thumbnail(%7B200.000000,150.500000%7D,1).png?w=100&u=a/b.jpg#top"
        ),
        ("https://example.com/photo", "https://example.com/photo-Thumbnail({200.000000,150.500000},1)"),
        (
            "https://example.com/photo?name=a.png",
            "https://example.com/photo?name=a.png-Thumbnail({200.000000,150.500000},1)"
        ),
        (
            "https://example.com/a%20b/c%2Bd.jpg?x=%E4%B8%AD",
            "https://example.com/a%20b/c%2Bd-Thumbnail(%7B200.000000,150.500000%7D,1).jpg?x=%E4%B8%AD"
        ),
        (
            "https://example.com/photo.tar.gz",
            "https://example.com/photo.tar-Thumbnail(%7B200.000000,150.500000%7D,1).gz"
        ),
        ("https://example.com/IMG.JPG", "https://example.com/IMG-Thumbnail(%7B200.000000,150.500000%7D,1).JPG"),
        ("https://example.com/dir.ext/", "https://example.com/dir-Thumbnail(%7B200.000000,150.500000%7D,1).ext/"),
        ("https://example.com//a//b.png", "https://example.com//a//b-Thumbnail(%7B200.000000,150.500000%7D,1).png"),
        ("https://example.com", "https://example.com-Thumbnail({200.000000,150.500000},1)"),
        ("file:///pics/image.png", "file:///pics/image-Thumbnail({200.000000,150.500000},1).png"),
        ("file:///pics/image", "file:///pics/image-Thumbnail({200.000000,150.500000},1)"),
        ("/pics/image.png", "/pics/image-Thumbnail(%7B200.000000,150.500000%7D,1).png"),
        ("/my pics/image.png", "/my pics/image-Thumbnail({200.000000,150.500000},1).png"),
        ("image.png", "image-Thumbnail(%7B200.000000,150.500000%7D,1).png"),
        ("image", "image-Thumbnail({200.000000,150.500000},1)"),
        ("data:image/png;base64,aa.bb", "data:image/png;base64,aa.bb-Thumbnail({200.000000,150.500000},1)"),
        ("", "-Thumbnail({200.000000,150.500000},1)"),
    ])
    func thumbnailStandsBeforeTheExtension(source: String, text: String) {
        #expect(CacheKey(source: source, variant: [Self.thumbnail]).description == text)
    }

    @Test(arguments: [
        ("image.png", "image-Flipping(1,0).png"),
        (".image", ".image-Flipping(1,0)"),
        ("image.", "image.-Flipping(1,0)"),
        ("Test/image.png", "Test/image-Flipping(1,0).png"),
        ("http://foo/image", "http://foo/image-Flipping(1,0)"),
        ("http://foo/.image", "http://foo/.image-Flipping(1,0)"),
        ("http://foo/image.png?foo=bar#mark", "http://foo/image-Flipping(1,0).png?foo=bar#mark"),
        ("ftp://root:password@foo.com/image.png", "ftp://root:password@foo.com/image-Flipping(1,0).png"),
        ("http://[::1]:8080/image.png", "http://[::1]:8080/image-Flipping(1,0).png"),
    ])
    func transformerStandsBeforeTheExtension(source: String, text: String) {
        #expect(CacheKey(source: source, variant: ["Flipping(1,0)"]).description == text)
    }

    @Test func keyMatchesTheDocumentedExample() {
        let key = CacheKey(
            source:
                "http://www.httpwatch.com/httpgallery/authentication/authenticatedimage/default.aspx?0.35786508303135633",
            variant: [Thumbnail.fit(180, 120).description])
        #expect(
            key.description
                == "http://www.httpwatch.com/httpgallery/authentication/authenticatedimage/"
                + "default-Thumbnail(%7B180.000000,120.000000%7D,1).aspx?0.35786508303135633")
    }

    @Test func allPartsAreInsertedTogether() {
        let variant = [Thumbnail.fit(100, 100).description, "Flipping(1,0)"]
        #expect(
            CacheKey(source: "http://foo/image", variant: variant).description
                == "http://foo/image-Thumbnail({100.000000,100.000000},1)-Flipping(1,0)")
        #expect(
            CacheKey(source: "https://example.com/photo.png", variant: variant).description
                == "https://example.com/photo-Thumbnail(%7B100.000000,100.000000%7D,1)-Flipping(1,0).png")
    }

    @Test func invalidPathCharactersAreEscaped() {
        let key = CacheKey(
            source: "https://example.com/photo.png", variant: ["RoundCorner(10.000000,15,1.000000,#ff0000ff)"])
        #expect(key.description == "https://example.com/photo-RoundCorner(10.000000,15,1.000000,%23ff0000ff).png")
    }

    @Test func equalTextFormsOfDifferentPartsAreDifferentKeys() {
        let forged = CacheKey(source: "http://foo/image-Flipping(1,0)")
        let real = CacheKey(source: "http://foo/image", variant: ["Flipping(1,0)"])
        #expect(forged.description == real.description)
        #expect(forged != real)
        #expect(CacheKey(source: "a", variant: ["b-c"]) != CacheKey(source: "a", variant: ["b", "c"]))
    }

    @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("\u{2126}", "\u{3A9}"), ("a", "a\u{0}"), ("", "a")])
    func keysAreEqualByteForByte(one: String, other: String) {
        let keys = [one, other].flatMap {
            [CacheKey(source: $0), CacheKey(source: "x", variant: [$0]), CacheKey(source: "x", variant: ["y", $0])]
        }
        #expect(Set(keys).count == 6)
        #expect(keys.allSatisfy { $0 == CacheKey(source: $0.source + "", variant: $0.variant.map { $0 + "" }) })
    }

    private struct Parts: Decodable {
        let source: String
        let variant: [String]
    }

    @Test func keyIsEncodedAsItsParts() throws {
        let key = CacheKey(source: "http://foo/caf\u{E9}.png", variant: ["Flipping(1,0)"])
        let data = try JSONEncoder().encode(key)
        #expect(try JSONDecoder().decode(CacheKey.self, from: data) == key)
        let plain = try JSONDecoder().decode(Parts.self, from: data)
        #expect((plain.source, plain.variant) == (key.source, key.variant))
        #expect(!String(decoding: data, as: UTF8.self).contains("hash"))
    }

    @Test(arguments: [
        ("https://example.com/a.b%3Ac", "b:c"), ("a.png", "png"), ("https://example.com/x?y=a.png", ""),
        ("https://example.com/dir.ext/", "ext"), ("data:image/png;base64,a.b", ""), ("/my pics/a b.tar.gz", "gz"),
    ])
    func pathExtensionIsThatOfThePath(source: String, pathExtension: String) {
        #expect(CacheKey(source: source).pathExtension == pathExtension)
    }

    @Test(arguments: 0..<200)
    func hostileTextsPreserveTheSource(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("ab./%#?:@[]{}\\ \u{0}é-()\r\n\u{301}💥")
        func text() -> String {
            String((0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
        }
        let key = CacheKey(source: text(), variant: [text()])
        let result = Array(key.description.utf8)
        let source = Array(key.source.utf8)
        // Without the inserted part, the text is the source, byte for byte.
        let insertedCount = result.count - source.count
        let cuts = (0...source.count).filter { cut in
            Array(result[..<cut]) == Array(source[..<cut])
                && Array(result[(cut + insertedCount)...]) == Array(source[cut...])
        }
        #expect(!cuts.isEmpty)
    }
}
