import DarkroomCore
import DarkroomHEIF
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

    @Test(arguments: ["lossy.heic", "alpha.heic", "ten-bits.heic", "thumbnail.heic", "orientation-6.heic"])
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
}
