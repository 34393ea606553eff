import Darkroom
import FoundationEssentials
import TestSupport
import Testing

/// XMP, IPTC metadata and comments from one file to another.
@Suite(.bug(id: "16.25"), .bounded)
struct MetadataTests {
    private let coders = CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()])
    private static let packet = """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta><rdf:Description tiff:Orientation="6"
         tiff:Make='K'><tiff:Orientation>8</tiff:Orientation></rdf:Description></x:xmpmeta><?xpacket end="w"?>
        """
    private static let written = """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta><rdf:Description
         tiff:Make='K'></rdf:Description></x:xmpmeta><?xpacket end="w"?>
        """
    // Computed, because the leak sanitizer does not find the bytes of a static `Data`.
    private static var iptc: Data { Data([0x1C, 2, 0, 0, 2, 0, 4, 0x1C, 2, 5, 0, 3] + Array("Cat".utf8)) }
    private static let comments = ["a comment", "Grüße ☕️ " + String(repeating: "long ", count: 200)]

    private func image(_ change: (inout ImageInfo) -> Void = { _ in }) -> Image {
        let bitmap = Bitmap(3, 2) { x, _ in x == 0 ? Color(red: 0, green: 0, blue: 0) : .white }
        var info = ImageInfo(format: .png, storedSize: bitmap.size)
        info.xmp = XMP(Data(Self.packet.utf8))
        info.iptc = Self.iptc
        info.comments = Self.comments
        change(&info)
        return Image(info: info, bitmap: bitmap)
    }

    private let keeping = ImageContext { $0.keepsMetadata = true }

    @Test(arguments: [ImageFormat.png, .jpeg, .webp, .gif])
    func metadataIsKeptOnRequest(_ format: ImageFormat) throws {
        let data = try coders.encode(image(), as: format, context: keeping)
        let info = try coders.info(of: data)
        #expect(info.xmp?.data == Data(Self.written.utf8))
        #expect(info.iptc == ([.png, .jpeg].contains(format) ? Self.iptc : nil))
        #expect(info.comments == (format == .webp ? [] : Self.comments))
        let again = try coders.info(of: coders.encode(coders.decode(data), as: format, context: keeping))
        #expect(again.xmp == info.xmp && again.iptc == info.iptc && again.comments == info.comments)
        #expect(try coders.decode(data).bitmap == coders.decode(coders.encode(image(), as: format)).bitmap)
    }

    @Test(arguments: [ImageFormat.png, .jpeg, .webp, .gif])
    func metadataIsOmittedByDefault(_ format: ImageFormat) throws {
        let data = try coders.encode(image(), as: format)
        let info = try coders.info(of: data)
        #expect(info.xmp == nil && info.iptc == nil && info.comments.isEmpty)
        #expect(data.firstRange(of: Data("xpacket".utf8)) == nil)
    }

    @Test(arguments: [ImageFormat.png, .webp, .gif])
    func animationsKeepMetadata(_ format: ImageFormat) throws {
        let frames = [Color(red: 0, green: 0, blue: 0), .white].map { color in
            Frame(Bitmap(3, 2) { _, _ in color }, duration: .milliseconds(100))
        }
        var info = image().info
        (info.frameCount, info.frameDurations) = (2, [.milliseconds(100), .milliseconds(100)])
        let animated = Image(info: info, bitmap: frames[0].bitmap, animation: Animation(frames: frames))
        let data = try coders.encode(animated, as: format, context: keeping)
        let decoded = try coders.decode(data)
        #expect(decoded.info.frameCount == 2 && decoded.info.xmp?.data == Data(Self.written.utf8))
        #expect(try decoded.animation?.frames().count == 2)
        #expect(decoded.metadata.notes.isEmpty)
    }

    @Test(arguments: [ImageFormat.png, .jpeg, .webp, .gif])
    func metadataBeyondTheLimitIsIgnored(_ format: ImageFormat) throws {
        let data = try coders.encode(image(), as: format, context: keeping)
        var context = ImageContext()
        context.limits.metadataByteCount = 5
        let info = try coders.decode(data, context: context).info
        #expect(info.xmp == nil && info.iptc == nil && info.comments.isEmpty)
    }

    @Test func metadataTooLargeForJPEGIsUnsupported() throws {
        let large = [
            image { $0.xmp = XMP(Data("<x>".utf8) + Data(repeating: 0x20, count: 65_504) + Data("</x>".utf8)) },
            // One dataset, whose length takes four bytes.
            image { $0.iptc = Data([0x1C, 2, 120, 0x80, 4, 0, 0, 0xFF, 0xE7]) + Data(repeating: 1, count: 65_511) },
            image { $0.comments = [String(repeating: "x", count: 65_534)] },
        ]
        for image in large {
            let error = #expect(throws: ImageError.self) { try coders.encode(image, as: .jpeg, context: keeping) }
            #expect(error?.kind == .unsupported)
            _ = try coders.encode(image, as: .png, context: keeping)
        }
    }

    /// A packet in UTF-16 may hide an orientation.
    @Test func packetsInOtherEncodingsAreIgnored() {
        #expect(XMP(Data([0xFE, 0xFF, 0, 0x3C])) == nil && XMP(Data([0, 0x3C])) == nil && XMP(Data()) == nil)
        #expect(XMP(Data([0xEF, 0xBB, 0xBF, 0x0A, 0x3C])) != nil)
    }

    /// No damage to metadata changes the pixels, crashes or hangs.
    @Test(arguments: [ImageFormat.png, .jpeg, .webp, .gif])
    func damagedMetadataIsHarmless(_ format: ImageFormat) throws {
        let data = try coders.encode(image(), as: format, context: keeping)
        for index in data.indices {
            var damaged = data
            damaged[index] ^= 0xFF
            _ = try? coders.decode(damaged)
            _ = try? coders.decode(Data(data.prefix(index)))
        }
    }
}
