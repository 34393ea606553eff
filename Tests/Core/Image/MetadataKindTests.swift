import DarkroomCore
import DarkroomTestKit
import Foundation
import TestSupport
import Testing

/// Metadata filtered by kinds.
@Suite(.bounded)
struct MetadataKindTests {
    private static let exif = TIFFBuilder(
        main: [
            .text(0x010E, "Caption"), .text(0x010F, "Camera"), .text(0x013B, "Ada"), .text(0x8298, "Copyright Ada"),
            .directory(0x8769, 0), .directory(0x8825, 1),
        ],
        others: [[.text(0x9003, "2025:12:31 23:59:58")], [.text(0x1D, "GPSDATE")]]
    ).data(isLittleEndian: false)

    private static let xmp = """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Toolkit"><!-- Note -->
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" foo:about="Hidden"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:CreatorTool="Tool" photoshop:Credit='Agency' photoshop:City="Paris"
        xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="48,51N">stray text
        <dc:creator><rdf:Seq><rdf:li>Ada</rdf:li></rdf:Seq></dc:creator><dc:title>Title</dc:title>
        <dc:rights><rdf:Alt><rdf:li xml:lang="x-default">Reserved</rdf:li></rdf:Alt></dc:rights><dc:format>image/png</dc:format>
        <xmpRights:Marked>True</xmpRights:Marked><exif:GPSLongitude>2,21E</exif:GPSLongitude><dc:subject/>
        <Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li Iptc4xmpExt:City="Lyon"/></rdf:Bag></Iptc4xmpExt:LocationShown>
        </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
        """

    private static func dataset(_ record: UInt8, _ number: UInt8, _ text: String) -> Data {
        Data([0x1C, record, number, 0, UInt8(text.utf8.count)] + Array(text.utf8))
    }

    private static let iptc =
        dataset(1, 90, "\u{1B}%G") + dataset(2, 0, "\0\u{4}") + dataset(2, 5, "Title") + dataset(2, 80, "Ada")
        + dataset(2, 90, "Paris") + dataset(2, 116, "Reserved") + dataset(2, 202, "Preview")

    private func request(_ kinds: MetadataKinds, _ change: (inout ImageInfo) -> Void = { _ in }) -> EncodeRequest {
        let bitmap = Bitmap(3, 2) { _, _ in .white }
        var info = ImageInfo(format: .png, storedSize: bitmap.size)
        (info.exif, info.xmp, info.iptc) = (Exif(Self.exif), XMP(Data(Self.xmp.utf8)), Self.iptc)
        info.comments = ["a comment"]
        change(&info)
        return EncodeRequest(
            image: Image(info: info, bitmap: bitmap), format: .png, context: ImageContext { $0.keptMetadata = kinds })
    }

    /// Returns which of `texts` are in any of the metadata.
    private func written(_ kinds: MetadataKinds, of texts: [String]) -> [String] {
        let request = request(kinds)
        let parts = [request.exif?.data, request.xmp?.data, request.iptc, Data(request.comments.joined().utf8)]
        let text = parts.compactMap { $0 }.map { String(decoding: $0, as: UTF8.self) }.joined()
        return texts.filter(text.contains)
    }

    private static let copyrights = ["Copyright Ada", "Agency", "Ada", "Reserved", "xmpRights:Marked"]
    private static let places = ["GPSDATE", "Paris", "GPSLatitude", "GPSLongitude", "Lyon"]
    private static let others = ["Caption", "Camera", "2025", "Tool", "Title", "dc:subject", "a comment"]
    private static let untrue = ["image/png", "Preview"]
    private static let all = copyrights + places + others + untrue

    @Test func nothingIsWrittenByDefault() {
        let request = request([])
        #expect(request.exif == nil && request.xmp == nil && request.iptc == nil && request.comments.isEmpty)
    }

    @Test func everythingTrueIsWrittenOfAllKinds() {
        #expect(written(.all, of: Self.all) == Self.copyrights + Self.places + Self.others)
    }

    @Test func copyrightIsSelectedInAllStructures() throws {
        #expect(written(.copyright, of: Self.all + ["Hidden", "Note", "stray"]) == Self.copyrights)
        let request = request(.copyright)
        #expect(request.exif?.hasLocation == false && request.exif?.dateTime == nil)
        #expect(request.iptc?.prefix(8) == Self.iptc.prefix(8), "the character set remains")
        let xmp = try #require(request.xmp)
        #expect(try elements(of: xmp.data).contains("dc:rights"))
        #expect(self.request(.copyright) { $0.xmp = xmp }.xmp == xmp)
    }

    @Test func placesAreLeftOut() {
        let kinds = MetadataKinds.all.subtracting(.location)
        #expect(written(kinds, of: Self.all) == Self.copyrights + Self.others)
        #expect(request(kinds).exif?.hasLocation == false)
    }

    @Test func placesAreSelected() throws {
        #expect(written(.location, of: Self.all) == Self.places)
        #expect(request(.location).exif?.hasLocation == true)
        #expect(try !elements(of: #require(request(.location).xmp).data).contains("dc:creator"))
    }

    @Test(
        arguments: [
            (.exif, ["Copyright Ada", "Ada", "Caption", "Camera", "2025"]), (.comments, ["a comment"]),
            (.xmp, ["Agency", "Ada", "Reserved", "xmpRights:Marked", "Tool", "Title", "dc:subject"]),
            (.iptc, ["Ada", "Reserved", "Title"]), ([.comments, .copyright], copyrights + ["a comment"]),
        ] as [(MetadataKinds, [String])])
    func structuresAreSelected(_ kinds: MetadataKinds, _ texts: [String]) {
        #expect(written(kinds, of: Self.all) == texts)
    }

    /// A structure without the selected properties says nothing.
    @Test func emptyStructuresAreNotWritten() {
        let request = request(.copyright) {
            $0.exif = Exif(TIFFBuilder(main: [.text(0x010F, "Camera")]).data(isLittleEndian: true))
            $0.xmp = XMP(
                Data("<x:xmpmeta><rdf:RDF><rdf:Description rdf:about='' xmp:Rating='3'/></rdf:RDF></x:xmpmeta>".utf8))
            $0.iptc = Self.dataset(1, 90, "\u{1B}%G") + Self.dataset(2, 5, "Title")
        }
        #expect(request.exif == nil && request.xmp == nil && request.iptc == nil)
    }

    @Test func attributesOfEmptyElementsAreSelected() throws {
        let packet = "<x:xmpmeta><rdf:RDF><rdf:Description dc:rights='Mine' xmp:Rating='3'/></rdf:RDF></x:xmpmeta>"
        let xmp = try #require(request(.copyright) { $0.xmp = XMP(Data(packet.utf8)) }.xmp)
        let text = String(decoding: xmp.data, as: UTF8.self)
        #expect(text.contains("<x:xmpmeta><rdf:RDF><rdf:Description dc:rights='Mine'/></rdf:RDF></x:xmpmeta>"))
    }

    @Test func namesStandForKinds() {
        #expect(MetadataKinds.names.compactMap(MetadataKinds.init(name:)).count == MetadataKinds.names.count)
        #expect(MetadataKinds(name: "all") == .all && MetadataKinds(name: "copyright") == .copyright)
        #expect(MetadataKinds(name: "GPS") == nil && MetadataKinds(name: "") == nil)
        let kinds = MetadataKinds.names.dropFirst().compactMap(MetadataKinds.init(name:))
        #expect(kinds.reduce(into: MetadataKinds()) { $0.formUnion($1) } == .all)
    }

    @Test func keepingIsAllOrNothing() {
        #expect(ImageContext { $0.keepsMetadata = true }.keptMetadata == .all)
        #expect(!ImageContext { $0.keptMetadata = [.copyright, .exif] }.keepsMetadata)
        var context = ImageContext { $0.keptMetadata = .copyright }
        context.keepsMetadata = false
        #expect(context.keptMetadata == [])
    }

    /// No packet gets through with what was not selected, and filtering again changes nothing.
    @Test func anyPacketIsFilteredOnce() {
        var mutator = TextMutator([Self.xmp], seed: 9)
        for _ in 0..<500 {
            guard let packet = XMP(Data(mutator.next().utf8)) else { continue }
            for kinds in [MetadataKinds.copyright, .location, .all.subtracting(.location)] {
                let once = request(kinds) { $0.xmp = packet }.xmp
                #expect(request(kinds) { $0.xmp = once }.xmp == once)
            }
        }
    }

    /// All namespaces of a prefix count, and none more than once: filtering is linear.
    @Test func prefixMayBeDeclaredAnyNumberOfTimes() {
        let declarations = String(repeating: " xmlns:a='http://purl.org/dc/elements/1.1/'", count: 20_000)
        let start = "<x><y xmlns:a='http://ns.adobe.com/exif/1.0/'/><z\(declarations)>"
        let kept = String(repeating: "<a:b/>", count: 30_000)
        func packet(_ removed: String) -> XMP? { XMP(Data("\(start)\(kept)\(removed)</z></x>".utf8)) }
        let original = packet("<a:format/><a:ColorSpace/><a:GPSLatitude/>")
        let request = request(.all.subtracting(.location)) { $0.xmp = original }
        #expect(request.xmp == packet(""))
    }

    /// The names of the elements, read by another parser.
    private func elements(of data: Data) throws -> [String] {
        var names: [String] = []
        var open: [String] = []
        let text = String(decoding: data, as: UTF8.self)
        for part in text.split(separator: "<") {
            let tag = try #require(part.split(separator: ">", omittingEmptySubsequences: false).first)
            guard !tag.hasPrefix("?") else { continue }
            if tag.hasPrefix("/") {
                #expect(open.popLast() == String(tag.dropFirst()))
            } else {
                let name = String(tag.split { " \n/".contains($0) }.first ?? "")
                names.append(name)
                if !tag.hasSuffix("/") { open.append(name) }
            }
        }
        #expect(open.isEmpty)
        return names
    }
}
