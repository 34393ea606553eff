import DarkroomCore
import DarkroomTestKit
import Testing

@testable import DarkroomCaches

@Suite struct FileNameTests {
    /// File names of SDWebImage.
    static let names: [(source: String, fileName: String)] = [
        ("https://placehold.co/50x50.jpg", "e9936aba8d7f7fcca7813d72290de957.jpg"),
        ("TestImageKey.jpg", "f77fd0b2d2c9780cce3b1cf4f047030a.jpg"),
        ("http://assets.sbnation.com/assets/2512203/dogflops.gif", "4ad9ae8eabfec60b40bf48f0bfc2d120.gif"),
        ("https://example.com/photos/IMG.JPG?v=2", "f32d5110be21acd8a3a7b8cd6935a67f.JPG"),
        (
            "https://maps.googleapis.com/maps/api/staticmap?center=48.8566,2.3522&format=png&maptype=roadmap&scale=2"
                + "&size=375x200&zoom=15", "e71fc3239f5147046b9e7f07ad7e7d61"
        ),
        (
            "http://e.hiphotos.baidu.com/image/pic/item/a1ec08fa513d2697e542494057fbb2fb4316d81e.jpg00%00",
            "0b0e3e3c852d113f97d4197694409049.jpg00"
        ),
        ("https://example.com/a.b%3Ac", "2bd2f75c73fff436c59cac2a968b95c8.bc"),
        (
            "https://example.com/photo-Thumbnail(%7B100.000000,100.000000%7D,1).png",
            "ba5262910cf4e062b579428a3f234634.png"
        ),
        (
            "https://example.com/photo-Thumbnail({100.000000,100.000000},1)",
            "74307e55a2b59891c2a10beafc2e08c1.000000},1)"
        ),
        (
            "https://example.com/x." + String(repeating: "a", count: 222),
            "808a6af4d0e3493f1d9526d66f5b8e6a." + String(repeating: "a", count: 222)
        ),
        ("https://example.com/x." + String(repeating: "a", count: 223), "61674bf7ac37beafda6f1291e06e08cc"),
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
    ]

    @Test(arguments: names)
    func namesEqualThoseOfSDWebImage(_ source: String, _ fileName: String) {
        #expect(CacheKey(source: source).fileName == fileName)
    }

    @Test(arguments: [
        "https://example.com/a.jpg", "https://example.com/a", "https://example.com/a.b/c", "http://example.com/.a",
        "https://example.com/a%20b.png", "https://example.com/a.jpg?b=c.d", "data:image/png;base64,AA", "a.gif", "",
        "https://example.com/a.", "https://example.com/a.tar.gz", "https://example.com",
    ])
    func nameIsDerivedFromTheTextForm(_ source: String) {
        for variant in [["Blur(1.5)"], ["Thumbnail({180.000000,120.000000},1)"], ["A", "B"], []] {
            let key = CacheKey(source: source, variant: variant)
            #expect(key.fileName == CacheKey(source: key.description).fileName)
        }
    }

    @Test func variantsAreNamedByTheirTextForm() {
        let key = CacheKey(source: "https://example.com/photo.png", variant: ["Thumbnail({100.000000,100.000000},1)"])
        #expect(key.fileName == "ba5262910cf4e062b579428a3f234634.png")
    }

    @Test(arguments: names) func folderIsTheStartOfTheDigestOfTheSource(_ source: String, _ fileName: String) {
        for variant in [[], ["Blur(1.5)"], ["A", "B"]] {
            #expect(EntryName(CacheKey(source: source, variant: variant)).shard.name == String(fileName.prefix(3)))
        }
    }

    @Test func extensionLengthIsMeasuredInBytes() {
        let long = CacheKey(source: "https://example.com/x." + String(repeating: "%C3%A9", count: 112))
        let short = CacheKey(source: "https://example.com/x." + String(repeating: "%C3%A9", count: 111))
        #expect(long.fileName.utf8.count == 32)
        #expect(short.fileName.utf8.count == 255)
    }

    @Test(arguments: 0..<2000) func fastPathGivesTheSameExtension(_ seed: Int) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "Z9", ".", "..", "/", "//", "-", "_", ".png", "host.org/", ":80", "%41", "?", "?w=3", "&", "#", "é",
            "[", "~",
        ]
        var text = ["http://", "https://", "HTTP://", "ftp://", "http:/", ""].randomElement(using: &random)!
        for _ in 0..<Int.random(in: 0...5, using: &random) { text += pieces.randomElement(using: &random)! }
        let pathExtension = CacheKey(source: text).pathExtension
        #expect((text.plainExtension ?? pathExtension) == pathExtension, "\(text)")
        for variant in [[], ["Thumbnail({1,2},1)"], ["a/b?#%", "é"], ["a/"]] {
            let key = CacheKey(source: text, variant: variant)
            #expect(key.textAndExtension == (key.description, key.pathExtension), "\(key)")
        }
    }

    @Test func commonAddressesTakeTheFastPath() {
        #expect("https://example.com/photos/2026/a-b_c.jpeg".plainExtension == "jpeg")
        #expect("https://example.com".plainExtension == "")
        #expect("https://example.com/a.jpeg?w=3&h=a/b.png".plainExtension == "jpeg")
        #expect("https://example.com/a.jpeg?x=%20".plainExtension == nil)
    }

    @Test func namesNeverContainSlashes() {
        #expect(CacheKey(source: "https://example.com/x.a%2F..%2Fb").fileName.hasSuffix(".b"))
        #expect(CacheKey(source: "https://example.com/x.a%2Fb").fileName.hasSuffix(".ab"))
    }
}
