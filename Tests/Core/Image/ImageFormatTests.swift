import DarkroomCore
import Foundation
import Testing

struct ImageFormatTests {
    /// File extension, identifier, media type and signatures of the formats of SDWebImage and of those added later.
    private static let table: [(name: String, identifier: String, mimeType: String, starts: [String])] = [
        ("jpeg", "public.jpeg", "image/jpeg", ["\u{FF}\u{D8}\u{FF}\u{E0}", "\u{FF}\u{D8}\u{FF}\u{DB}"]),
        ("png", "public.png", "image/png", ["\u{89}PNG\r\n\u{1A}\n"]),
        ("gif", "com.compuserve.gif", "image/gif", ["GIF87a", "GIF89a"]),
        ("tiff", "public.tiff", "image/tiff", ["II*\u{0}", "MM\u{0}*", "II+\u{0}", "MM\u{0}+"]),
        ("webp", "org.webmproject.webp", "image/webp", ["RIFF1234WEBP"]),
        (
            "heic", "public.heic", "image/heic",
            ["heic", "heix", "hevc", "hevx"].map { "\u{0}\u{0}\u{0}\u{18}ftyp\($0)" }
        ),
        ("heics", "public.heics", "image/heic-sequence", []),
        ("heif", "public.heif", "image/heif", ["mif1", "msf1"].map { "\u{0}\u{0}\u{0}\u{18}ftyp\($0)" }),
        ("avif", "public.avif", "image/avif", ["avif", "avis"].map { "\u{0}\u{0}\u{0}\u{1C}ftyp\($0)" }),
        ("jxl", "public.jpeg-xl", "image/jxl", ["\u{FF}\u{0A}", "\u{0}\u{0}\u{0}\u{0C}JXL "]),
        ("pdf", "com.adobe.pdf", "application/pdf", ["%PDF-1.7"]),
        ("svg", "public.svg-image", "image/svg+xml", ["<svg></svg>", "<?xml?><svg></svg >\n<g></svg>\n"]),
        ("bmp", "com.microsoft.bmp", "image/bmp", ["BM"]),
        (
            "ico", "com.microsoft.ico", "image/vnd.microsoft.icon",
            ["\u{0}\u{0}\u{1}\u{0}", "\u{0}\u{0}\u{2}\u{0}"]
        ),
        ("raw", "public.camera-raw-image", "image/x-raw", []),
    ]

    @Test(arguments: table.indices)
    func formatIsDetectedByNameAndSignature(row: Int) throws {
        let row = Self.table[row]
        let format = try #require(ImageFormat(named: row.name))
        #expect(format.fileExtension == row.name)
        #expect(format.identifier == row.identifier)
        #expect(format.mimeType == row.mimeType)
        for name in [row.identifier, row.mimeType, row.name.uppercased(), row.mimeType + "; q=1"] {
            #expect(ImageFormat(named: name) == format)
        }
        for start in row.starts { #expect(ImageFormat.sniff(Self.bytes(start)) == format) }
    }

    @Test(arguments: [
        ("avif", ImageFormat.avif), ("heic", .heic), ("heif", .heif), ("jxl", .jpegXL), ("svg", .svg), ("tiff", .tiff),
        ("bmp", .bmp),
        ("ico", .ico),
    ])
    func pluginFormatsHaveAName(name: String, format: ImageFormat) throws {
        let known = try #require(ImageFormat(named: name))
        #expect(known == format)
        #expect(known.signatures == format.signatures)
    }

    @Test func tableContainsAllFormats() {
        #expect(ImageFormat.known.map(\.identifier).sorted() == Self.table.map(\.identifier).sorted())
        for name in [\ImageFormat.identifier, \.mimeType, \.fileExtension] {
            #expect(Set(ImageFormat.known.map { $0[keyPath: name] }).count == ImageFormat.known.count)
        }
    }

    @Test(arguments: [
        ("image/jpg", ImageFormat.jpeg), ("image/pjpeg", .jpeg), ("jpg", .jpeg), ("JPG", .jpeg), ("image/x-png", .png),
        ("image/apng", .png), ("image/vnd.mozilla.apng", .png), ("apng", .png), ("IMAGE/PNG ; charset=binary", .png),
    ])
    func commonAliasesAreKnown(name: String, format: ImageFormat) {
        #expect(ImageFormat(named: name) == format)
    }

    @Test func aliasesOfForeignFormatsAreKnown() {
        for (alias, name) in [
            ("tif", "tiff"), ("image/x-ms-bmp", "bmp"), ("image/heif-sequence", "heif"), ("cur", "ico"),
        ] {
            #expect(ImageFormat(named: alias)?.fileExtension == name)
        }
    }

    @Test(arguments: ["", ";", "image", "image/", "public.image", "text/html", "ping", "application/octet-stream"])
    func unknownNamesAreNotFormats(name: String) { #expect(ImageFormat(named: name) == nil) }

    @Test(arguments: [
        "", "\u{FF}", "\u{FF}\u{D8}", "\u{89}PNG", "G", "GIF88a", "Inside", "Manual", "RIFF1234WAVE", "RIFF",
        "\u{0}\u{0}\u{0}\u{18}ftypisom", "\u{0}\u{0}\u{0}\u{0C}jP  ", "<html></html>", "</svg", " <svg></svg>",
    ])
    func unknownSignaturesAreNotFormats(start: String) { #expect(ImageFormat.sniff(Self.bytes(start)) == nil) }

    @Test func svgIsDetectedInTheLastHundredBytes() {
        let end = "</svg>"
        #expect(ImageFormat.sniff(Self.bytes("<" + end + String(repeating: " ", count: 94)))?.fileExtension == "svg")
        #expect(ImageFormat.sniff(Self.bytes("<" + end + String(repeating: " ", count: 95))) == nil)
    }

    private static func bytes(_ text: String) -> Data { Data(text.unicodeScalars.map { UInt8($0.value) }) }
}
