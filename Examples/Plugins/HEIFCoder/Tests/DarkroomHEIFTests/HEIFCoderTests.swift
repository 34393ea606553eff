import DarkroomCore
import DarkroomHEIF
import DarkroomTestKit
import Foundation
import Testing

struct HEIFCoderTests {
    private let contract = CoderContract(HEIFCoder())
    private let registry = CoderRegistry([HEIFCoder()])

    @Test(arguments: try Fixture.all("heic"))
    func pixelsMatchTheOriginalDrawings(_ fixture: Fixture) throws {
        let image = try registry.decode(fixture.data)
        #expect(image.bitmap.meanDifference(to: fixture.expected) <= 3)
        #expect(image.info.hasAlpha == (fixture.name == "alpha.heic"))
    }

    @Test func losslessFilePreservesAllPixels() throws {
        let fixture = try Fixture.named("lossless.heic")
        #expect(try registry.decode(fixture.data).bitmap.difference(to: fixture.expected) <= 1)
    }

    @Test(arguments: 1...8)
    func rotationIsAppliedOnceDespiteExif(tag: Int) throws {
        let image = try registry.decode(try Fixture.named("orientation-\(tag).heic").data)
        #expect(image.info.orientation == .up)
        #expect(image.info.exif?.orientation.rawValue == tag)
        #expect(image.size == (tag > 4 ? PixelSize(60, 80) : PixelSize(80, 60)))
    }

    @Test(arguments: ["lossy.heic", "alpha.heic", "ten-bits.heic", "thumbnail.heic", "orientation-6.heic"])
    func coderMeetsTheContract(_ name: String) throws {
        try contract.checkFile(try Fixture.named(name).data)
    }

    @Test func invalidFilesAreRefused() throws { try contract.checkRefusals() }

    @Test func mutatedFilesAreHandled() throws {
        let seeds = try ["lossy.heic", "alpha.heic", "orientation-6.heic"].map { try Fixture.named($0).data }
        let tally = try CoderFuzzer(HEIFCoder(), seeds: seeds).run(iterations: 400)
        #expect(tally.acceptedCount > 0 && tally.rejectedCount > 0)
    }

    @Test func headerContainsTheDepth() throws {
        #expect(try registry.info(of: try Fixture.named("ten-bits.heic").data).bitsPerChannel >= 8)
        #expect(try registry.info(of: try Fixture.named("lossy.heic").data).format == .heic)
    }

    @Test func memoryLimitIsCheckedBeforeDecoding() throws {
        let data = try Fixture.named("lossy.heic").data
        let error = #expect(throws: ImageError.self) {
            try registry.decode(data, context: ImageContext { $0.limits.decodedByteCount = 80 * 60 * 4 })
        }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.decodedByteCount") == true)
    }
}

extension Bitmap {
    /// The mean difference over all channels of all pixels; 256 when the sizes differ.
    fileprivate func meanDifference(to other: Bitmap) -> Int {
        guard size == other.size else { return 256 }
        return withPixels { left in
            other.withPixels { right in
                left.indices.reduce(0) { $0 + abs(Int(left[$1]) - Int(right[$1])) } / left.count
            }
        }
    }
}
