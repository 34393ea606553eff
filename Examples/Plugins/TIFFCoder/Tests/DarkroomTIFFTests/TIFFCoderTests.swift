import DarkroomCore
import DarkroomPNG
import DarkroomTIFF
import DarkroomTestKit
import Foundation
import Testing

private let folder = FixtureFolder(beside: #filePath)

struct TIFFCoderTests {
    private let contract = CoderContract(TIFFCoder())
    private let registry = CoderRegistry([TIFFCoder()])

    /// Files whose compression or colour space loses detail, with the mean difference that it causes.
    private static let lossy = ["lab.tiff": 3]

    @Test(arguments: try folder.fixtures(withExtension: "tiff", references: PNGCoder()))
    func pixelsMatchThoseThatWentIn(_ fixture: FixtureFolder.Fixture) throws {
        let bitmap = try registry.decode(fixture.data).bitmap
        if let tolerance = Self.lossy[fixture.name] {
            #expect(bitmap.meanDifference(to: fixture.expected) <= tolerance)
        } else {
            #expect(bitmap.largestVisibleDifference(to: fixture.expected) <= 2)
        }
    }

    @Test(arguments: [
        "rgb-8.tiff", "big-rgba-16.tiff", "gray-1.tiff", "palette-4.tiff", "cmyk-alpha.tiff", "planar-alpha-lzw.tiff",
        "tiles.tiff", "jpeg.tiff", "ycbcr.tiff", "fax-g4.tiff", "orientation-6.tiff", "pages.tiff",
    ])
    func coderMeetsTheContract(_ name: String) throws {
        try contract.checkFile(try folder.data(of: name), named: name)
    }

    @Test func invalidFilesAreRefused() throws { try contract.checkRefusals() }

    @Test func mutatedFilesAreHandled() throws {
        let names = [
            "rgb-8", "rgb-lzw-2", "big-rgba-16", "planar-tiles", "fax-g4", "jpeg-tiles", "ycbcr", "lab", "palette-2",
            "cmyk-tiles", "pages",
        ]
        let seeds = try names.map { try folder.data(of: $0 + ".tiff") }
        let tally = try CoderFuzzer(TIFFCoder(), seeds: seeds).run(iterations: 600)
        #expect(tally.acceptedCount > 0 && tally.rejectedCount > 0)
    }

    @Test func headerIsParsed() throws {
        func info(_ name: String) throws -> ImageInfo { try registry.info(of: try folder.data(of: name + ".tiff")) }
        #expect(try info("gray-1").bitsPerChannel == 1)
        #expect(try info("gray-1").colorModel == .gray)
        #expect(try info("palette-4").colorModel == .indexed)
        #expect(try info("cmyk").colorModel == .cmyk)
        #expect(try info("big-rgba-16").bitsPerChannel == 16)
        #expect(try info("rgba").hasAlpha)
        #expect(try !info("extra").hasAlpha)
        #expect(try info("profile").iccProfile?.isEmpty == false)
        #expect(try info("lab").iccProfile == nil)
        #expect(try info("orientation-6").orientation == .right)
        #expect(try info("orientation-6").storedSize == PixelSize(29, 37))
    }

    @Test func pagesAreFrames() throws {
        let image = try registry.decode(try folder.data(of: "pages.tiff"))
        let frames = try #require(image.animation).frames()
        #expect(frames.map(\.duration) == [.seconds(1), .seconds(1), .seconds(1)])
        let last = try CoderRegistry([PNGCoder()]).decode(try folder.data(of: "last-page.png")).bitmap
        #expect(frames[2].bitmap.largestVisibleDifference(to: last) <= 1)
        #expect(
            image.metadata.notes == ["1 pages are left out, because they differ from the first or cannot be decoded"])
    }

    /// The photometric interpretations of pages with the same profile, and how many of them are frames. The profile applies to
    /// RGB (2), but not to YCbCr (6) and L*a*b* (8), which become sRGB.
    private static let pagesWithProfile: [(photometrics: [Int], frameCount: Int)] = [
        ([8, 8, 8], 3), ([6, 8], 2), ([2, 8, 2], 2), ([2, 6], 1), ([8, 2], 1),
    ]

    @Test(arguments: pagesWithProfile)
    func framesHaveOneColorSpace(photometrics: [Int], frameCount: Int) throws {
        let pages = photometrics.map { TIFFBuilder.page([256: 5, 257: 5, 262: $0, 277: 3], claims: [34_675: 100]) }
        let image = try registry.decode(TIFFBuilder.file(pages))
        #expect(image.info.frameCount == frameCount)
        let count = pages.count - frameCount
        let note = "\(count) pages are left out, because they differ from the first or cannot be decoded"
        #expect(image.metadata.notes == (count == 0 ? [] : [note]))
    }

    @Test func firstPageIsAStillOnRequest() throws {
        let data = try folder.data(of: "pages.tiff")
        let image = try CoderRegistry([TIFFCoder(readsAllPages: false)]).decode(data)
        #expect(image.animation == nil && image.metadata.notes.isEmpty)
        #expect(image.bitmap == (try registry.decode(data).bitmap))
    }

    @Test func inksAreConvertedByTheColorEngine() throws {
        var registry = registry
        registry.colorConverter = Blackening()
        let bitmap = try registry.decode(try folder.data(of: "cmyk-alpha.tiff")).bitmap
        let expected = try folder.fixture("cmyk-alpha.tiff", references: PNGCoder()).expected
        #expect(
            bitmap.bytes.enumerated().allSatisfy { $0 % 4 == 3 ? $1 == expected.bytes[$0] : $1 == 0 })
    }

    @Test(arguments: ["rgb-8", "rgba", "gray-8", "gray-alpha"])
    func encodingIsLossless(_ name: String) throws {
        let bitmap = try folder.fixture(name + ".tiff", references: PNGCoder()).expected
        try contract.checkRoundTrip(bitmap, as: .tiff)
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let info = try registry.info(of: try registry.encode(image, as: .tiff))
        #expect(info.colorModel == (name.hasPrefix("gray") ? .gray : .rgb))
        #expect(info.hasAlpha == bitmap.hasAlpha)
    }

    @Test func framesAreEncodedAsPages() throws {
        try contract.checkEncoding()
        let frames = (0..<3).map { Frame(.testCard(20, 17, number: $0), duration: .seconds(1)) }
        try contract.checkRoundTrip(try #require(Image(frames: frames)?.animation), as: .tiff)
        let image = try #require(Image(frames: frames))
        let still = try registry.encode(image, as: .tiff, context: ImageContext { $0.usesFirstFrameOnly = true })
        #expect(try registry.info(of: still).frameCount == 1)
    }

    @Test func profileIsKept() throws {
        var image = try #require(Image(frames: [Frame(.testCard(9, 7), duration: .zero)]))
        let profile = Data(count: 16) + Data("RGB ".utf8) + Data(count: 108)
        image.metadata.iccProfile = profile
        #expect(try registry.info(of: try registry.encode(image, as: .tiff)).iccProfile == profile)
    }

    @Test func outputLimitEndsTheEncoding() throws {
        let image = try #require(Image(frames: [Frame(.testCard(300, 200), duration: .zero)]))
        let error = #expect(throws: ImageError.self) {
            try registry.encode(image, as: .tiff, context: ImageContext { $0.limits.outputByteCount = 2_000 })
        }
        #expect(error?.message.contains("outputByteCount") == true)
    }
}

/// A converter that makes everything black.
private struct Blackening: ColorConverter {
    struct Rows: RowConversion {
        mutating func convert(_ pixels: inout MutableSpan<UInt8>) {
            for index in pixels.indices { pixels[index] = index % 4 == 3 ? 255 : 0 }
        }
    }

    func makeRowConversion(for info: ImageInfo) throws -> (any RowConversion)? { Rows() }
}
