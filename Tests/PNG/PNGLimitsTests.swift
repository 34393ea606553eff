import DarkroomCore
import DarkroomPNG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct PNGLimitsTests {
    private static let bombChunks = ["broken/png-bomb-text.png", "broken/png-bomb-icc.png"]
    private let registry = CoderRegistry([PNGCoder()])

    @Test(arguments: Fixture.broken(of: .png).filter { !bombChunks.contains($0.name) })
    func brokenFileIsAnImageError(_ fixture: Fixture) {
        let error = #expect(throws: ImageError.self) { try registry.decode(fixture.data) }
        #expect(error?.kind != .internal)
        #expect(error?.stage == .decode)
    }

    @Test(arguments: [
        ("truncated", ImageError.Kind.incomplete), ("truncated-header", .incomplete), ("bad-crc-header", .corrupt),
        ("bad-crc-pixels", .corrupt), ("bad-deflate", .corrupt), ("bad-filter", .corrupt), ("bad-color-type", .corrupt),
        ("few-rows", .corrupt), ("no-palette", .corrupt), ("zero-size", .corrupt), ("empty", .corrupt),
        ("bomb-size", .overLimit), ("bomb-pixels", .overLimit),
    ])
    func errorHasTheRightKind(_ name: String, _ kind: ImageError.Kind) {
        let error = #expect(throws: ImageError.self) { try registry.decode(Fixture("broken/png-\(name).png").data) }
        #expect(error?.kind == kind)
    }

    @Test func emptyDataIsIncomplete() {
        let error = #expect(throws: ImageError.self) { try PNGCoder().info(of: Data()) }
        #expect(error?.kind == .incomplete)
    }

    @Test(arguments: Fixture.broken(of: .png))
    func everyPrefixOfABrokenFileGivesAnErrorOrAnImage(_ fixture: Fixture) throws {
        // The rest of a large file is the inside of a bomb.
        try CoderContract(PNGCoder()).checkPrefixes(Data(fixture.data.prefix(1200)))
    }

    @Test(arguments: ["png-palette-4-trns.png", "png-adam7-3x5.png", "png-orientation-7.png"])
    func corruptByteGivesAnErrorOrAnImage(_ name: String) {
        let data = Fixture(name).data
        for index in data.indices {
            var changed = data
            changed[index] ^= 0xFF
            do {
                _ = try registry.decode(changed)
            } catch {
                #expect(error.kind != .internal)
            }
        }
    }

    @Test(arguments: bombChunks)
    func inflatedAncillaryChunkIsSkipped(_ name: String) throws {
        let image = try registry.decode(Fixture(name).data)
        #expect(try image.bitmap == Fixture("png-rgb-8.png").expectedBitmap(hasAlpha: false))
        #expect(image.info.iccProfile == nil)
    }

    @Test func bombIsRejectedBeforeAnyAllocation() throws {
        // With this pixel limit, only the byte limit prevents an allocation of 2⁶⁴ bytes.
        let context = ImageContext { $0.limits.pixelCount = .max }
        let error = #expect(throws: ImageError.self) {
            try registry.decode(Fixture("broken/png-bomb-size.png").data, context: context)
        }
        #expect(error?.kind == .overLimit)
    }

    @Test func thumbnailFromRowsNeverHoldsTheFullImage() throws {
        // The image takes 360,000 bytes; its thumbnail, rows and weights take less than a tenth of that.
        let picture = Bitmap(300, 300) { x, y in Color(red: UInt8(x / 2), green: UInt8(y / 2), blue: 9) }
        let image = Image(info: ImageInfo(format: .png, storedSize: picture.size), bitmap: picture)
        let data = try registry.encode(image, as: .png)
        var context = ImageContext { $0.limits.decodedByteCount = 36_000 }
        #expect(throws: ImageError.self) { try registry.decode(data, context: context) }
        context.thumbnail = .fit(10, 10)
        #expect(try registry.decode(data, context: context).size == PixelSize(10, 10))
    }

    @Test func thumbnailOfAnInterlacedImageHoldsTheFullImage() throws {
        let context = ImageContext {
            $0.limits.decodedByteCount = 2000
            $0.thumbnail = .fit(10, 10)
        }
        let error = #expect(throws: ImageError.self) {
            try registry.decode(Fixture("png-adam7-rgb-8.png").data, context: context)
        }
        #expect(error?.kind == .overLimit)
    }

    @Test func imageLargerThanItsHeaderIsAnError() throws {
        let request = DecodeRequest(
            data: Fixture("png-rgb-8.png").data, info: ImageInfo(format: .png, storedSize: PixelSize(34, 21)))
        #expect(throws: ImageError.self) { try PNGCoder().decode(request) }
    }
}
