import DarkroomCacheKeyFilters
import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

/// Tests filters with generated texts, including texts that compare as equal to others but have different bytes.
@Suite(.bounded)
struct MutatedTextTests {
    private static let filters: [any CacheKeyFilter] = [
        .removeQueryItems(["token"]), .removeQuery, .keepQueryItems(["id"]), .removeSignatures, .sortQuery,
        .lowercaseHost,
        .mapHost(["img1.example.com": "img.example.com"]),
    ]

    @Test func filteringIsIdempotent() throws {
        var mutator = TextMutator(
            [
                "https://IMG1.example.com:80/a.png?token=1&id=2#f", "http://u:p@[FE80::1%25Eth0]/a?b=c&b=d",
                "https://a/b?X-Amz-Algorithm=1&X-Amz-Credential=2&X-Amz-Signature=3&w=4", "data:,a?b=c",
            ], seed: 31)
        for _ in 0..<2000 {
            let text = mutator.next()
            for filter in Self.filters {
                let once = try #require(filter.key(text))
                #expect(once.utf8.count <= text.utf8.count)
                #expect(try #require(filter.key(once)).hasBytes(of: once), "\(text.debugDescription)")
            }
        }
    }

    @Test func longTextsTakeLinearTime() throws {
        for unit in ["&", "?\u{301}", "&a=b", "[", "@"] {
            let text = "http://" + TextMutator.longText(repeating: unit)
            for filter in Self.filters { #expect(try #require(filter.key(text)).utf8.count <= text.utf8.count) }
        }
    }

    @Test func namesAreComparedByTheirBytes() {
        #expect(RemoveQueryItems(["\u{E9}"]).key("http://a/b?e%CC%81=1&%C3%A9=2") == "http://a/b?e%CC%81=1")
        #expect(RemoveQueryItems(["\u{FFFD}"]).key("http://a/b?%FF=1") == "http://a/b?%FF=1")
        #expect(KeepQueryItems(["K"]).key("http://a/b?\u{212A}=1&K=2") == "http://a/b?K=2")
        let signed = "http://a/b?%E2%84%AAey-Pair-Id=1&Signature=2"
        #expect(RemoveSignatures().key(signed) == signed)
    }
}
