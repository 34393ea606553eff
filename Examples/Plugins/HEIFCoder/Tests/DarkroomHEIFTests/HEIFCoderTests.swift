import DarkroomCore
import DarkroomHEIF
import DarkroomItemFileTestKit
import DarkroomPNG
import DarkroomTestKit
import Foundation
import Testing

private let folder = FixtureFolder(beside: #filePath)

struct HEIFCoderTests {
    private let contract = CoderContract(HEIFCoder())
    private let registry = CoderRegistry([HEIFCoder()])

    @Test(arguments: try folder.fixtures(withExtension: "heic", references: PNGCoder()))
    func pixelsMatchTheOriginalDrawings(_ fixture: FixtureFolder.Fixture) throws {
        let image = try registry.decode(fixture.data)
        #expect(image.bitmap.meanDifference(to: fixture.expected) <= 3)
        #expect(image.info.hasAlpha == (fixture.name == "alpha.heic"))
    }

    @Test func losslessFilePreservesAllPixels() throws {
        let fixture = try folder.fixture("lossless.heic", references: PNGCoder())
        #expect(try registry.decode(fixture.data).bitmap.largestVisibleDifference(to: fixture.expected) <= 1)
    }

    @Test(arguments: 1...8)
    func rotationIsAppliedOnceDespiteExif(tag: Int) throws {
        let image = try registry.decode(try folder.data(of: "orientation-\(tag).heic"))
        #expect(image.info.orientation == .up)
        #expect(image.info.exif?.orientation.rawValue == tag)
        #expect(image.size == (tag > 4 ? PixelSize(60, 80) : PixelSize(80, 60)))
    }

    @Test(arguments: [
        "lossy.heic", "alpha.heic", "ten-bits.heic", "thumbnail.heic", "orientation-6.heic", "cropped.heic",
    ])
    func coderMeetsTheContract(_ name: String) throws {
        try contract.checkFile(try folder.data(of: name))
    }

    @Test func invalidFilesAreRefused() throws { try contract.checkRefusals() }

    @Test func mutatedFilesAreHandled() throws {
        let seeds = try ["lossy.heic", "alpha.heic", "orientation-6.heic"].map { try folder.data(of: $0) }
        let tally = try CoderFuzzer(HEIFCoder(), seeds: seeds).run(iterations: 400)
        #expect(tally.acceptedCount > 0 && tally.rejectedCount > 0)
    }

    @Test func headerContainsTheDepth() throws {
        #expect(try registry.info(of: try folder.data(of: "ten-bits.heic")).bitsPerChannel >= 8)
        #expect(try registry.info(of: try folder.data(of: "lossy.heic")).format == .heic)
    }

    @Test func codePointsAreTheColourSpace() throws {
        let info = try registry.info(of: try folder.data(of: "display-p3.heic"))
        #expect(info.calibration == Calibration(primaries: 12, transfer: 13))
        #expect(try registry.info(of: try folder.data(of: "lossy.heic")).calibration == nil)
    }

    @Test func memoryLimitIsCheckedBeforeDecoding() throws {
        let data = try folder.data(of: "lossy.heic")
        let error = #expect(throws: ImageError.self) {
            try registry.decode(data, context: ImageContext { $0.limits.decodedByteCount = 80 * 60 * 4 })
        }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.decodedByteCount") == true)
    }

    /// libheif decodes a tile of 80×64 pixels, and crops to the 80×60 pixels of the image, and then to these.
    @Test(arguments: [("pixelCount", 80 * 60 - 1, 3 * 4 * 80 * 64), ("decodedByteCount", 80 * 60, 3 * 4 * 80 * 64 - 1)])
    func limitsApplyToTheSizeBeforeCropping(name: String, pixelCount: Int, byteCount: Int) throws {
        let data = try folder.data(of: "cropped.heic")
        #expect(try registry.info(of: data).storedSize == PixelSize(40, 30))
        var context = ImageContext()
        context.limits.pixelCount = 80 * 60
        context.limits.decodedByteCount = 3 * 4 * 80 * 64
        _ = try registry.decode(data, context: context)
        context.limits.pixelCount = pixelCount
        context.limits.decodedByteCount = byteCount
        let error = #expect(throws: ImageError.self) { try registry.decode(data, context: context) }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.\(name)") == true)
    }

    @Test func tileLargerThanTheImageIsCountedBeforeDecoding() throws {
        var data = try folder.data(of: "lossy.heic")
        let tile = try #require(data.firstRange(of: BoxBuilder.number(80, 4) + BoxBuilder.number(64, 4)))
        data.replaceSubrange(tile, with: BoxBuilder.number(20_000, 4) + BoxBuilder.number(20_000, 4))
        #expect(try registry.info(of: data).storedSize == PixelSize(80, 60))
        let error = #expect(throws: ImageError.self) { try registry.decode(data) }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.decodedByteCount") == true)
    }

    /// libheif allocates the canvas in the bytes of the item, and not the size in its property.
    @Test(arguments: ["grid", "iovl"], [(name: "decodedByteCount", side: 9_000), (name: "pixelCount", side: 20_000)])
    func canvasIsCountedBeforeDecoding(type: String, limit: (name: String, side: Int)) throws {
        let whole = TestItem(type, 80, 60, canvas: (limit.side, limit.side), parts: [2])
        let error = try failure(of: [whole, try tile()])
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.\(limit.name)") == true)
    }

    /// libheif decodes a tile again for each reference to it.
    @Test func repeatedTileIsCountedBeforeDecoding() throws {
        let grid = TestItem("grid", 80, 60, parts: [Int](repeating: 2, count: 1_000))
        let error = try failure(of: [grid, try tile()]) { $0.limits.decodedByteCount = 1 << 20 }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.decodedByteCount") == true)
    }

    /// libheif recurses until its stack ends.
    @Test(arguments: ["grid", "iovl", "iden"])
    func imageOfItselfIsRefused(type: String) throws {
        let grids = [2, 1].map { TestItem(type, 80, 60, parts: [$0]) }
        let error = try failure(of: grids + [try tile()])
        #expect(error?.kind == .corrupt)
        #expect(error?.message.contains("or of itself") == true)
    }

    /// Returns the tile of a file, which has 80×64 pixels.
    private func tile() throws -> TestItem {
        let configuration = BoxBuilder.firstBox("hvcC", in: try folder.data(of: "lossy.heic"))
        return TestItem("hvc1", 80, 64, properties: [try #require(configuration)])
    }

    /// Returns the error of decoding a file of `items`; `nil` if there is none.
    private func failure(
        of items: [TestItem], _ options: (inout ImageContext) -> Void = { _ in }
    ) throws -> ImageError? {
        let media = try #require(BoxBuilder.firstBox("mdat", in: try folder.data(of: "lossy.heic")))
        let file = BoxBuilder.file(brand: "heic", items: items, media: Data(media.dropFirst(8)))
        let context = ImageContext(options)
        return #expect(throws: ImageError.self) { try registry.decode(file, context: context) }
    }

    /// libheif keeps the bytes of all blocks of Exif.
    @Test func overlappingItemsAreRefusedBeforeTheyAreCopied() throws {
        let file = BoxBuilder.file(brand: "heic", itemCount: 40, extentCount: 30, payload: Data(count: 10_000))
        let error = #expect(throws: ImageError.self) { try registry.info(of: file) }
        #expect(error?.kind == .corrupt)
        #expect(error?.message.contains("and their file has only \(file.count)") == true)
    }

    /// libheif compares each item with all others.
    @Test func tooManyItemsAreRefusedBeforeTheyAreCompared() throws {
        let file = BoxBuilder.file(brand: "heic", itemCount: 5_000, extentCount: 1, payload: Data(count: 1))
        let error = #expect(throws: ImageError.self) { try registry.info(of: file) }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.segmentCount") == true)
    }

    @Test func compressedMetadataIsRefused() throws {
        let texts = Data("mime\0application/rdf+xml\0deflate\0".utf8)
        let item = BoxBuilder.box("infe", version: 2, [BoxBuilder.number(1, 2), BoxBuilder.number(0, 2), texts])
        let items = BoxBuilder.box("iinf", version: 0, [BoxBuilder.number(1, 2), item])
        let brands = BoxBuilder.box("ftyp", [Data("heic".utf8), BoxBuilder.number(0, 4), Data("heicmif1".utf8)])
        let error = #expect(throws: ImageError.self) {
            try registry.info(of: brands + BoxBuilder.box("meta", version: 0, [items]))
        }
        #expect(error?.kind == .unsupported)
        #expect(error?.message.contains("compressed metadata") == true)
    }
}
