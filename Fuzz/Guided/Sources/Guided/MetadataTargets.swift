@testable import DarkroomColor
@testable import DarkroomCore
import FoundationEssentials

extension FuzzTarget {
    /// Two directories, big-endian: an orientation, a date, and the offset of the second one, with a date.
    private static let exifSeed: [UInt8] = {
        let main: [[UInt8]] = [
            [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0], [0x01, 0x32, 0, 2, 0, 0, 0, 20, 0, 0, 0, 68],
            [0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 50],
        ]
        let details: [UInt8] = [0x90, 0x03, 0, 2, 0, 0, 0, 20, 0, 0, 0, 68]
        let directories = [0, 3] + main.flatMap { $0 } + [0, 0, 0, 0] + [0, 1] + details + [0, 0, 0, 0]
        return Array("MM\0*".utf8) + [0, 0, 0, 8] + directories + Array("2026:11:21 14:30:00\0".utf8)
    }()

    /// Metadata that coders find in files.
    static let metadata: [FuzzTarget] = [
        FuzzTarget("exif", seeds: { [exifSeed] }) { input in
            let exif = Exif(input.data)
            let writer = ExifWriter(exif, keeping: .all, size: PixelSize(3, 2), isSRGB: true)
            guard let written = writer?.exif else { return }
            demand(written.data.count <= 4 * exif.data.count, "written Exif has \(written.data.count) bytes")
            demand(written.orientation == .up, "written Exif turns the image")
        },
        FuzzTarget("icc", seeds: { [Array(OutputColorSpace.displayP3.iccProfile ?? Data())] }) { input in
            var choices = input.choices
            var info = ImageInfo(format: .jpeg, storedSize: PixelSize(2, 2))
            info.iccProfile = input.data
            info.colorModel = [ImageInfo.ColorModel.rgb, .gray, .cmyk][choices.next(below: 3)]
            let space = choices.flag() ? OutputColorSpace.displayP3 : .sRGB
            let converter = LittleCMSConverter()
            _ = converter.hasWideColors(info)
            guard var conversion = try converter.makeRowConversion(for: info, to: space) else { return }
            var pixels = (0..<64).map { UInt8($0 * 4) }
            var span = pixels.mutableSpan
            conversion.convert(&span)
        },
        FuzzTarget(
            "xmp",
            texts: [
                """
                <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- a -->
                <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description tiff:Orientation='6'
                xmlns:t="http://ns.adobe.com/tiff/1.0/" t:ImageWidth="16" dc:rights="me"><dc:title>b</dc:title>
                <xmp:Thumbnails><![CDATA[x]]></xmp:Thumbnails></rdf:Description></rdf:RDF></x:xmpmeta>
                """
            ]
        ) { input in
            guard let packet = XMP(input.data) else { return }
            for kinds in [MetadataKinds.all, .copyright, .location] {
                guard let once = XMPFilter(packet, keeping: kinds).filtered() else { continue }
                let twice = XMPFilter(once, keeping: kinds).filtered()
                demand(twice == once, "filtering again changes the packet")
            }
        },
        FuzzTarget(
            "iptc",
            seeds: {
                let datasets: [UInt8] = [0x1C, 2, 0, 0, 2, 0, 4, 0x1C, 2, 116, 0, 2, 109, 101, 0x1C, 2, 90, 0, 1, 65]
                return [datasets, Array(PhotoshopResources.resources(iptc: Data(datasets)))]
            }
        ) { input in
            let data = PhotoshopResources.iptc(in: input.data) ?? input.data
            for kinds in [MetadataKinds.all, .copyright, .location] {
                guard let once = IPTCFilter.filtered(data, keeping: kinds) else { continue }
                demand(IPTCFilter.filtered(once, keeping: kinds) == once, "filtering again changes the datasets")
                let resources = PhotoshopResources.resources(iptc: once)
                demand(PhotoshopResources.iptc(in: resources) == once, "resources lose the datasets")
            }
        },
    ]
}
