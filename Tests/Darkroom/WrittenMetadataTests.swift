import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Metadata of a whole picture in files of parts of it.
@Suite(.bounded)
struct WrittenMetadataTests {
    private let coders = CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()])
    private static let secrets = ["THUMBNAIL", "MAKERNOTE", "XMPPREVIEW", "IPTCPREVIEW"]

    private static let transformers: [[any ImageTransformer]] = [
        [], [.crop(x: 2, y: 1, width: 7, height: 5)], [.rotate(radians: .pi / 2)], [.flip(horizontal: true)],
        [.crop(aspectRatio: 1)], [.pad(3, background: .white)], [.thumbnail(6, 6)],
        [.resize(8, 4), .greyscale],
    ]

    /// Two directories of Exif, with everything that is not true of a part of the picture.
    private static var exif: Data {
        func short(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
        func long(_ number: Int) -> [UInt8] { short(number >> 16) + short(number & 0xFFFF) }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            short(tag) + short(type) + long(count) + value + [UInt8](repeating: 0, count: 4 - value.count)
        }
        // The directories are at 8, 74 and 128, and the values at 170.
        let main = [
            entry(0x0100, 3, 1, short(16)), entry(0x0101, 3, 1, short(12)), entry(0x010F, 2, 3, Array("Me\0".utf8)),
            entry(0x0112, 3, 1, short(6)), entry(0x8769, 4, 1, long(74)),
        ]
        let details = [
            entry(0x9000, 7, 4, Array("0232".utf8)), entry(0x927C, 7, 9, long(170)), entry(0xA002, 4, 1, long(16)),
            entry(0xA003, 4, 1, long(12)),
        ]
        let thumbnail = [
            entry(0x0103, 3, 1, short(6)), entry(0x0201, 4, 1, long(180)), entry(0x0202, 4, 1, long(9)),
        ]
        var file = Array("MM\0*".utf8) + long(8) + short(5) + main.flatMap { $0 } + long(128)
        file += short(4) + details.flatMap { $0 } + long(0)
        file += short(3) + thumbnail.flatMap { $0 } + long(0)
        return Data(file + Array("MAKERNOTE\0THUMBNAIL".utf8))
    }

    private static let xmp = """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- <hdrgm:A/> -->
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
        xmlns:g="http://ns.adobe.com/hdr-gain-map/1.0/" g:Version="1.0" hdrgm:GainMapMax='2' dc:creator="Someone"
        xmlns:t="http://ns.adobe.com/tiff/1.0/" t:ImageWidth="16" tiff:Orientation = "6" exif:PixelYDimension="12">
        <xmp:Thumbnails><rdf:Alt><rdf:li xmpGImg:image="XMPPREVIEW"/></rdf:Alt></xmp:Thumbnails><dc:title>Kept</dc:title>
        <Container:Directory xmlns:Container="http://ns.google.com/photos/1.0/container/"><rdf:Seq/></Container:Directory>
        <exif:PixelXDimension>16</exif:PixelXDimension><ImageLength xmlns="http://ns.adobe.com/tiff/1.0/">12</ImageLength>
        </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
        """

    private static var iptc: Data {
        Data([0x1C, 2, 5, 0, 3] + Array("Cat".utf8) + [0x1C, 2, 202, 0, 11] + Array("IPTCPREVIEW".utf8))
            + Data([0x1C, 2, 120, 0, 4] + Array("Text".utf8))
    }

    private func source() -> Image {
        let bitmap = Bitmap(16, 12) { x, y in Color(red: UInt8(x * 9), green: UInt8(y * 9), blue: 80) }
        var info = ImageInfo(format: .png, storedSize: bitmap.size)
        info.exif = Exif(Self.exif)
        info.xmp = XMP(Data(Self.xmp.utf8))
        info.iptc = Self.iptc
        return Image(info: info, bitmap: bitmap)
    }

    @Test(arguments: [ImageFormat.png, .jpeg, .webp, .gif], transformers.indices)
    func writtenMetadataIsTrueOfThePicture(_ format: ImageFormat, _ index: Int) throws {
        let request = TransformRequest()
        let bitmap = try Self.transformers[index].reduce(source().bitmap) { try $1.transform($0, for: request) }
        let image = Image(info: source().info, bitmap: bitmap)
        let data = try coders.encode(
            image, as: format,
            context: ImageContext {
                $0.keepsMetadata = true
                $0.background = .white
            })
        let text = String(decoding: data, as: UTF8.self)
        for secret in Self.secrets + ["Orientation", "ImageWidth", "ImageLength", "Pixel", "GainMap", "g:Version"] {
            #expect(!text.contains(secret), "\(secret) is in the file")
        }
        #expect(text.contains("<dc:title>Kept</dc:title>") && text.contains("dc:creator=\"Someone\""))
        let info = try coders.info(of: data)
        #expect(info.orientation == .up)
        if format == .png || format == .jpeg {
            #expect(info.iptc == Self.iptc.prefix(8) + Self.iptc.suffix(9))
        }
        guard format != .gif else { return }
        let directory = try #require(ParsedExif(file: data))
        #expect(directory.next == 0)
        #expect(directory.numbers[0x0100] == bitmap.size.width && directory.numbers[0x0101] == bitmap.size.height)
        #expect(directory.numbers[0x0112] == 1)
        let details = try #require(directory.details)
        #expect(details[0xA002] == bitmap.size.width && details[0xA003] == bitmap.size.height)
        #expect(details[0x9000] != nil && details[0x927C] == nil)
    }

    @Test(arguments: [
        "<a tiff:Orientation=\"6\"", "<a><b></a>", "<a b=c/>", "<a", "<a b/>", "<!-- ", "<a/><![CDATA[", "<?xpacket",
        "</a>", "<!DOCTYPE a><a/>", "<a></a b=\"1\">", "< a/>",
    ])
    func brokenPacketsAreNotWritten(_ text: String) {
        var info = source().info
        info.xmp = XMP(Data(text.utf8))
        #expect(info.xmp != nil)
        let image = Image(info: info, bitmap: source().bitmap)
        let request = EncodeRequest(image: image, format: .png, context: ImageContext { $0.keepsMetadata = true })
        #expect(request.xmp == nil)
    }

    @Test func anyPacketIsFilteredInLinearTime() {
        var mutator = TextMutator([Self.xmp], seed: 5)
        for _ in 0..<500 {
            guard let packet = XMP(Data(mutator.next().utf8)) else { continue }
            var info = source().info
            info.xmp = packet
            let image = Image(info: info, bitmap: source().bitmap)
            let context = ImageContext { $0.keepsMetadata = true }
            let once = EncodeRequest(image: image, format: .png, context: context).xmp
            info.xmp = once
            let again = EncodeRequest(
                image: Image(info: info, bitmap: source().bitmap), format: .png, context: context)
            #expect(again.xmp == once)
        }
    }
}

/// The numbers in the Exif of a file, found and parsed in another way than by the library.
private struct ParsedExif {
    private let bytes: [UInt8]
    private let start: Int
    private(set) var numbers: [Int: Int] = [:]
    private(set) var next = 0

    /// Finds the big-endian TIFF header after the name of the Exif chunk or segment.
    init?(file: Data) {
        bytes = Array(file)
        let names = ["eXIf", "Exif\0\0", "EXIF"].compactMap { file.firstRange(of: Data($0.utf8)) }
        guard let name = names.first, let header = file[name.upperBound...].firstRange(of: Data("MM\0*".utf8)) else {
            return nil
        }
        start = header.lowerBound
        (numbers, next) = directory(at: number(at: 4, count: 4))
    }

    /// The numbers of the Exif directory.
    var details: [Int: Int]? { numbers[0x8769].map { directory(at: $0).numbers } }

    private func directory(at offset: Int) -> (numbers: [Int: Int], next: Int) {
        var numbers: [Int: Int] = [:]
        let count = number(at: offset, count: 2)
        for entry in 0..<count {
            let place = offset + 2 + 12 * entry
            let isShort = number(at: place + 2, count: 2) == 3
            numbers[number(at: place, count: 2)] = number(at: place + 8, count: isShort ? 2 : 4)
        }
        return (numbers, number(at: offset + 2 + 12 * count, count: 4))
    }

    private func number(at offset: Int, count: Int) -> Int {
        bytes[(start + offset)..<(start + offset + count)].reduce(0) { $0 << 8 | Int($1) }
    }
}
