import DarkroomCore
import DarkroomJPEGXL
import DarkroomPNG
import DarkroomTestKit
import Foundation
import Testing

private let folder = FixtureFolder(beside: #filePath)

struct JPEGXLCoderTests {
    private let contract = CoderContract(JPEGXLCoder())
    private let registry = CoderRegistry([JPEGXLCoder()])

    @Test(arguments: try folder.fixtures(withExtension: "jxl", references: PNGCoder()))
    func pixelsMatchThoseOfOtherDecoders(_ fixture: FixtureFolder.Fixture) throws {
        // A transcoded JPEG is decoded with slightly higher precision than by JPEG decoders.
        let tolerance = fixture.name.hasPrefix("orientation") ? 12 : 1
        let difference = try registry.decode(fixture.data).bitmap.largestVisibleDifference(to: fixture.expected)
        #expect(difference <= tolerance)
    }

    @Test(arguments: [
        "lossy.jxl", "lossy-alpha.jxl", "gray.jxl", "container.jxl", "orientation-6.jxl", "animation.jxl",
    ])
    func coderMeetsTheContract(_ name: String) throws {
        try contract.checkFile(try folder.data(of: name))
    }

    @Test func invalidFilesAreRefused() throws { try contract.checkRefusals() }

    @Test func mutatedFilesAreHandled() throws {
        let seeds = try ["lossy.jxl", "alpha.jxl", "animation.jxl"].map { try folder.data(of: $0) }
        let tally = try CoderFuzzer(JPEGXLCoder(), seeds: seeds).run(iterations: 400)
        #expect(tally.acceptedCount > 0 && tally.rejectedCount > 0)
    }

    @Test func headerIsParsed() throws {
        #expect(try registry.info(of: try folder.data(of: "sixteen-bits.jxl")).bitsPerChannel == 16)
        #expect(try registry.info(of: try folder.data(of: "gray.jxl")).colorModel == .gray)
        #expect(try registry.info(of: try folder.data(of: "alpha.jxl")).hasAlpha)
        #expect(try registry.info(of: try folder.data(of: "orientation-6.jxl")).orientation == .right)
        let animation = try registry.info(of: try folder.data(of: "animation.jxl"))
        #expect(animation.frameCount == 3)
        #expect(animation.frameDurations == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
    }

    @Test func lastFrameMatchesTheOriginal() throws {
        let image = try registry.decode(try folder.data(of: "animation.jxl"))
        let frames = try #require(image.animation).frames()
        let expected = try CoderRegistry([PNGCoder()]).decode(try folder.data(of: "last-frame.png")).bitmap
        #expect(frames[2].bitmap.largestVisibleDifference(to: expected) == 0)
        #expect(frames[2].bitmap.largestVisibleDifference(to: frames[0].bitmap) > 100)
    }

    @Test func qualityOfOneIsLossless() throws {
        for name in ["lossless.jxl", "alpha.jxl"] {
            let bitmap = try folder.fixture(name, references: PNGCoder()).expected
            let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
            let data = try registry.encode(image, as: .jpegXL, context: ImageContext { $0.quality = 1 })
            #expect(try registry.decode(data).bitmap.largestVisibleDifference(to: bitmap) == 0)
        }
    }

    @Test func invalidOptionsAreRefused() throws {
        try contract.checkEncoding()
        let bitmap = try folder.fixture("lossless.jxl", references: PNGCoder()).expected
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let knobs: [(inout ImageContext) -> Void] = [
            { $0.quality = 2 }, { $0.quality = .nan }, { $0.jpegXLEffort = 0 }, { $0.jpegXLEffort = 10 },
            { $0.encoderQuality = 26 },
        ]
        for knob in knobs {
            let error = #expect(throws: ImageError.self) {
                try registry.encode(image, as: .jpegXL, context: ImageContext(knob))
            }
            #expect(error?.kind == .unsupported)
        }
    }

    @Test func animationIsEncodedCompletely() throws {
        let before = try registry.decode(try folder.data(of: "animation.jxl"))
        let frames = try #require(before.animation).frames()
        let image = try #require(Image(frames: frames, loopCount: 3))
        let data = try registry.encode(image, as: .jpegXL, context: ImageContext { $0.quality = 1 })
        let after = try #require(try registry.decode(data).animation)
        #expect(after.loopCount == 3)
        #expect(after.frameDurations == before.info.frameDurations)
        #expect(try after.frames().map(\.bitmap) == frames.map(\.bitmap))
        let still = try registry.encode(image, as: .jpegXL, context: ImageContext { $0.usesFirstFrameOnly = true })
        #expect(try registry.info(of: still).frameCount == 1)
    }

    @Test func memoryLimitIsCheckedBeforeDecoding() throws {
        let data = try folder.data(of: "lossy.jxl")
        let error = #expect(throws: ImageError.self) {
            try registry.decode(data, context: ImageContext { $0.limits.decodedByteCount = 40 * 30 * 4 })
        }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.decodedByteCount") == true)
    }
}
