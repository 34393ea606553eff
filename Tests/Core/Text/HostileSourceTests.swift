@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Sources, names and small files may contain anything.
@Suite(.bounded)
struct HostileSourceTests {
    private static let sources = [
        "https://example.com/a/photo@2x.png?w=1#f", "http://[::1]:80/a.tar.gz", "file:///srv/a%20b.png", "photo.jpg",
        "data:image/png;base64,AA==", "//host/a.b/", "mailto:a.b",
    ]

    @Test func keysOfAnySourceHaveOneTextForm() {
        var mutator = TextMutator(Self.sources, seed: 11)
        let variant = ["Thumbnail({180.000000,120.000000},1)", "\u{301}/\r\n%"]
        for _ in 0..<4000 {
            let source = mutator.next()
            let key = CacheKey(source: source, variant: variant)
            #expect(CacheKey(source: source).description.hasBytes(of: source))
            #expect(key.description.utf8.count >= source.utf8.count)
            #expect(key.pathExtension.utf8.count <= key.description.utf8.count * 3)
            #expect(key == CacheKey(source: source, variant: variant))
            _ = CacheKey(source: source).scaleInName
        }
    }

    @Test func longSourcesTakeTimeInProportion() {
        for unit in ["/", "a.", "%41", "[]", ":\u{301}", "@2x"] {
            let source = TextMutator.longText(repeating: unit)
            #expect(CacheKey(source: source, variant: ["a"]).description.utf8.count >= source.utf8.count)
        }
    }

    @Test func formatAndColorNamesAcceptAnyText() {
        var mutator = TextMutator(["image/png; q=1", "JPG", "#80ffffff", "fff", "a1b2c3"], seed: 12)
        for _ in 0..<4000 {
            let text = mutator.next()
            if let color = Color(text) { #expect(Color(color.description) == color) }
            if let format = ImageFormat(named: text) { #expect(ImageFormat(named: format.mimeType) == format) }
            #expect(!Signature(stringLiteral: text).matches([]) || text.isEmpty)
        }
        #expect(ImageFormat(named: "image/\u{212A}") == nil)
        #expect(ImageFormat(named: TextMutator.longText(repeating: "a;")) == nil)
        #expect(Color(TextMutator.longText(repeating: "#")) == nil)
    }

    @Test func signaturesAcceptMultibyteCharacters() {
        #expect(Signature("\u{FF}?\u{20AC}").bytes == [0xFF, nil, 0xE2, 0x82, 0xAC])
    }

    @Test(arguments: [true, false]) func exifAcceptsAnyBytes(isLittleEndian: Bool) {
        let builder = TIFFBuilder(
            main: [
                .short(0x112, 6), .text(0x132, "2026:11:21 14:30:00"), .directory(0x8769, 0), .directory(0x8825, 1),
            ],
            others: [[.text(0x9003, "2026:11:20 00:00:60")], [.short(1, 1)]])
        let file = builder.data(isLittleEndian: isLittleEndian)
        var mutator = FileMutator([Array(file), Array("Exif\0\0".utf8) + file], seed: 13)
        for _ in 0..<4000 {
            let exif = Exif(Data(mutator.next()))
            if let written = exif.written() {
                #expect(written.data.count <= 4 * exif.data.count && written.orientation == .up)
            }
            if let date = exif.dateTime { #expect(date.utf8.count == 19 && date.isASCIIOnly) }
        }
    }

    @Test func implausibleByteCountsReserveNoMemory() {
        let received = ReceivedBytes(expectedByteCount: .min)
        received.append(Data([1]))
        #expect(received.all == Data([1]))
    }
}

extension String {
    fileprivate var isASCIIOnly: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
