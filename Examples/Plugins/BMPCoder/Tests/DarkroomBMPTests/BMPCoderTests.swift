import DarkroomBMP
import DarkroomCore
import DarkroomPNG
import DarkroomTestKit
import Foundation
import Testing

private let folder = FixtureFolder(beside: #filePath)

struct BMPCoderTests {
    private let contract = CoderContract(BMPCoder())
    private let registry = CoderRegistry([BMPCoder()])

    @Test(
        arguments: try ["bmp", "ico", "cur"].flatMap { try folder.fixtures(withExtension: $0, references: PNGCoder()) })
    func pixelsMatchThoseThatWentIn(_ fixture: FixtureFolder.Fixture) throws {
        let image = try registry.decode(fixture.data)
        // Channels of more than 8 bits are cut, not rounded.
        let difference = image.bitmap.firstDifference(from: fixture.expected, tolerance: 1)
        #expect(difference == nil)
        #expect(image.metadata.notes.isEmpty)
        #expect(image.info.format == (fixture.name.hasSuffix("bmp") ? .bmp : .ico))
    }

    @Test(arguments: [
        "palette-4.bmp", "os2-1.bmp", "top-down.bmp", "masks-16.bmp", "alpha-124.bmp", "runs-8.bmp", "gaps-4.bmp",
        "icon-8.ico", "icon-32.ico", "sizes.ico", "cursor.cur",
    ])
    func coderMeetsTheContract(_ name: String) throws {
        try contract.checkFile(try folder.data(of: name), named: name)
    }

    @Test func invalidFilesAreRefused() throws { try contract.checkRefusals() }

    @Test func mutatedFilesAreHandled() throws {
        let names = [
            "palette-4.bmp", "os2-24.bmp", "masks-10-bits.bmp", "alpha-124.bmp", "runs-4.bmp", "gaps-8.bmp",
            "gaps-24.bmp",
            "icon-1.ico", "icon-32.ico", "icon-png.ico", "sizes.ico", "cursor.cur",
        ]
        let seeds = try names.map { try folder.data(of: $0) }
        let tally = try CoderFuzzer(BMPCoder(), seeds: seeds).run(iterations: 1_000)
        #expect(tally.acceptedCount > 0 && tally.rejectedCount > 0)
    }

    @Test func textThatBeginsLikeABitmapIsNoBitmap() {
        #expect(!BMPCoder().canDecode(Data("BMW builds cars, and motorcycles as well".utf8)))
        #expect(BMPCoder().canDecode(Data("BM".utf8)))
    }

    @Test func imageOfAnIconFitsTheRequest() throws {
        let data = try folder.data(of: "sizes.ico")
        let drawn = try CoderRegistry([PNGCoder()]).decode(try folder.data(of: "sizes-16.png")).bitmap
        let image = try registry.decode(data, context: ImageContext { $0.thumbnail = .fit(16, 16) })
        #expect(image.bitmap.firstDifference(from: drawn) == nil)
        #expect(try registry.info(of: data).storedSize == PixelSize(32, 32))
        for side in [1, 9, 17, 32] {
            let size = try registry.decode(
                data, context: ImageContext { $0.thumbnail = .stretch(Double(side), Double(side)) }
            )
            .size
            #expect(size == PixelSize(side, side))
        }
    }

    @Test func headerIsParsed() throws {
        func info(_ name: String) throws -> ImageInfo { try registry.info(of: try folder.data(of: name)) }
        #expect(try info("palette-1.bmp").colorModel == .indexed)
        #expect(try info("plain-16.bmp").bitsPerChannel == 5)
        #expect(try info("masks-10-bits.bmp").bitsPerChannel == 10)
        #expect(try info("alpha-16.bmp").hasAlpha)
        #expect(try info("gaps-4.bmp").hasAlpha && !info("runs-4.bmp").hasAlpha)
        #expect(try info("icon-1.ico").hasAlpha)
    }

    @Test(arguments: ["plain-24.bmp", "palette-8.bmp", "runs-8.bmp", "gaps-8.bmp", "alpha-124.bmp", "icon-8.ico"])
    func truncatedFileIsShownInPartOnRequest(_ name: String) throws {
        let data = try folder.data(of: name)
        let part = data.prefix(data.count * 3 / 4)
        let error = #expect(throws: ImageError.self) { try registry.decode(part) }
        #expect(error?.kind == .incomplete)
        let image = try registry.decode(part, context: ImageContext { $0.acceptsIncomplete = true })
        #expect(image.metadata.isIncomplete && image.metadata.notes.count == 1)
        // The last rows come first.
        let whole = try registry.decode(data).bitmap
        let rowByteCount = image.size.width * 4
        if name != "icon-8.ico" { #expect(image.bitmap.bytes.suffix(rowByteCount) == whole.bytes.suffix(rowByteCount)) }
        #expect(image.bitmap.bytes[3] == 0)
    }

    @Test(arguments: [ImageFormat.bmp, .ico])
    func encodingIsLossless(_ format: ImageFormat) throws {
        try contract.checkEncoding()
        for hasAlpha in [false, true] {
            try contract.checkRoundTrip(.testCard(33, 18, hasAlpha: hasAlpha), as: format)
        }
    }

    @Test func profileIsKept() throws {
        var image = try #require(Image(frames: [Frame(.testCard(9, 7), duration: .zero)]))
        let profile = Data(count: 16) + Data("RGB ".utf8) + Data(count: 108)
        image.metadata.iccProfile = profile
        let data = try registry.encode(image, as: .bmp)
        #expect(try registry.info(of: data).iccProfile == profile)
        #expect(try registry.decode(data).bitmap == image.bitmap)
    }

    @Test func largeIconIsRefused() throws {
        let image = try #require(Image(frames: [Frame(.testCard(257, 9), duration: .zero)]))
        let error = #expect(throws: ImageError.self) { try registry.encode(image, as: .ico) }
        #expect(error?.kind == .unsupported)
        let context = ImageContext { $0.encodedSizeLimit = PixelSize(256, 256) }
        #expect(try registry.info(of: try registry.encode(image, as: .ico, context: context)).size.width == 256)
    }

    @Test(arguments: [
        // A width, a height and bits per pixel, whose rows would overflow or are too many.
        (Int32.max, Int32.max, UInt16(32)), (Int32.max, 1, 1), (1, Int32.min, 24), (50_000, 50_000, 8),
    ])
    func hugeClaimsAreRefusedBeforeAnyAllocation(width: Int32, height: Int32, bits: UInt16) throws {
        var file = try folder.data(of: "plain-24.bmp")
        for (value, place) in [(Int(width), 18), (Int(height), 22)] {
            for index in 0..<4 { file[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
        }
        file[28] = UInt8(bits)
        let error = #expect(throws: ImageError.self) { try registry.decode(file) }
        #expect(error?.kind == .overLimit)
    }
}
