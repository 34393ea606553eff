import DarkroomCore
import DarkroomJPEG
import FoundationEssentials
import TestSupport
import Testing

struct JPEGInfoTests {
    private let coder = JPEGCoder()

    @Test(arguments: [
        ("jpeg-420.jpg", ImageInfo.ColorModel.rgb), ("jpeg-rgb.jpg", .rgb), ("jpeg-gray.jpg", .gray),
        ("jpeg-progressive-gray.jpg", .gray), ("jpeg-cmyk.jpg", .cmyk), ("jpeg-ycck.jpg", .cmyk),
    ])
    func colorModelFollowsTheComponents(_ name: String, _ model: ImageInfo.ColorModel) throws {
        let info = try coder.info(of: Fixture(name).data)
        #expect(info.colorModel == model && info.bitsPerChannel == 8 && !info.hasAlpha && info.frameCount == 1)
    }

    @Test(arguments: Orientation.allCases)
    func orientationIsReadAfterAJFIFHeader(_ orientation: Orientation) throws {
        let data = Fixture("jpeg-orientation-\(orientation.rawValue).jpg").data
        let info = try coder.info(of: data)
        #expect(data.contains("JFIF") && info.orientation == orientation)
        #expect(info.storedSize == orientation.applied(to: info.size))
    }

    @Test func firstExifSegmentCounts() throws {
        let data = Fixture("jpeg-orientation-6.jpg").data
        let second = data.inserting(.segment(0xE1, Data("Exif\0\0MM".utf8)), before: 0xDB)
        #expect(try coder.info(of: second).orientation == .right)
    }

    @Test func profileIsJoinedFromItsParts() throws {
        let profile = try #require(try coder.info(of: Fixture("jpeg-icc.jpg").data).iccProfile)
        #expect(profile.count == 132 && profile.dropFirst(36).starts(with: Array("acsp".utf8)))
        #expect(try coder.info(of: Fixture("jpeg-420.jpg").data).iccProfile == nil)
    }

    @Test func partsOfAProfileAreJoinedInTheOrderOfTheirNumbers() throws {
        let parts: [Data] = [.profilePart(2, of: 3, "cd"), .profilePart(1, of: 3, "ab"), .profilePart(3, of: 3, "e")]
        #expect(try profile(of: parts) == Data("abcde".utf8))
    }

    @Test(arguments: Self.brokenProfiles)
    func profileWithBrokenPartsIsIgnored(_ parts: [Data]) throws {
        #expect(try profile(of: parts) == nil)
    }

    @Test func profileWithBrokenPartsIsNoted() throws {
        let registry = CoderRegistry([coder])
        let data = Fixture("jpeg-420.jpg").data
        let broken = data.inserting(.profilePart(1, of: 2, "ab"), before: 0xDB)
        #expect(try registry.decode(broken).metadata.notes.count == 1)
        let other = data.inserting(.segment(0xE2, Data("MPF\0".utf8)), before: 0xDB)
        #expect(try registry.decode(other).metadata.notes.isEmpty)
    }

    private static var brokenProfiles: [[Data]] {
        [
            [.profilePart(1, of: 2, "ab")],
            [.profilePart(1, of: 1, "ab"), .profilePart(1, of: 1, "cd")],
            [.profilePart(1, of: 2, "ab"), .profilePart(2, of: 3, "c")],
            [.profilePart(0, of: 1, "ab")],
            [.profilePart(1, of: 0, "ab")],
            [.profilePart(1, of: 1, "")],
            [.segment(0xE2, Data("ICC_PROFILE\0".utf8))],
            [.segment(0xE2, Data("MPF\0".utf8))],
        ]
    }

    @Test(arguments: Fixture.all(of: .jpeg))
    func headerIsIncompleteUntilTheFirstScan(_ fixture: Fixture) throws {
        let data = fixture.data
        let scan = try #require(data.firstRange(of: Data([0xFF, 0xDA]))).lowerBound
        for count in 0..<(scan + 2) {
            let error = #expect(throws: ImageError.self) { try coder.info(of: Data(data.prefix(count))) }
            #expect(error?.kind == .incomplete)
        }
        #expect(try coder.info(of: data.prefix(scan + 2)) == coder.info(of: data))
    }

    @Test func bytesBetweenSegmentsAreSkipped() throws {
        let fixture = Fixture("jpeg-420.jpg")
        let data = fixture.data.inserting(Data([1, 2, 0xFF, 0, 3, 0xFF, 0xFF]), before: 0xDB)
        #expect(try coder.info(of: data).storedSize == PixelSize(35, 21))
        #expect(try CoderRegistry([coder]).decode(data).bitmap == fixture.expectedBitmap(hasAlpha: false))
    }

    @Test(arguments: Self.brokenHeaders)
    func brokenHeaderIsAnErrorOfTheRightKind(_ data: Data, _ kind: ImageError.Kind) {
        let error = #expect(throws: ImageError.self) { try coder.info(of: data) }
        #expect(error?.kind == kind)
    }

    private static var brokenHeaders: [(Data, ImageError.Kind)] {
        [
            (Data("GIF89a".utf8), .corrupt),
            (Data([0xFF, 0xD8, 0xFF, 0xD9]), .incomplete),
            (.file([.segment(0xC0, Data([11, 0, 8, 0, 8, 1]))]), .unsupported),
            (.file([.segment(0xC3, Data([8, 0, 8, 0, 8, 1]))]), .unsupported),
            (.file([.segment(0xC0, Data([8, 0, 8, 0, 8, 2]))]), .unsupported),
            (.file([.segment(0xC0, Data([8, 0, 8, 0, 0, 1]))]), .corrupt),
            (.file([.segment(0xC0, Data([8, 0, 0, 0, 0, 1]))]), .corrupt),
            (.file([.segment(0xC0, Data([8, 0, 8]))]), .corrupt),
            (.file([]), .corrupt),
            (.file([Data([0xFF, 0xC0, 0, 1])]), .corrupt),
        ]
    }

    private func profile(of parts: [Data]) throws -> Data? {
        let data = Fixture("jpeg-420.jpg").data
        return try coder.info(of: parts.reduce(data) { $0.inserting($1, before: 0xDB) }).iccProfile
    }
}
