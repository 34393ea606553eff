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

    @Test(arguments: 2...8)
    func exifIsReadFromItsBox(orientation: Int) throws {
        let info = try registry.info(of: try folder.data(of: "orientation-\(orientation).jxl"))
        #expect(info.exif?.orientation.rawValue == orientation)
    }

    @Test func metadataIsWrittenOnRequest() throws {
        let exif = try #require(try registry.info(of: try folder.data(of: "orientation-6.jxl")).exif)
        let packet =
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/' dc:format='a'/></rdf:RDF></x:xmpmeta>"
        var image = try registry.decode(try folder.data(of: "lossless.jxl"))
        var info = image.info
        (info.exif, info.xmp) = (exif, XMP(Data(packet.utf8)))
        image = Image(info: info, bitmap: image.bitmap)
        for keepsMetadata in [false, true] {
            let file = try registry.encode(
                image, as: .jpegXL, context: ImageContext { $0.keepsMetadata = keepsMetadata })
            let written = try registry.info(of: file)
            #expect((written.exif != nil) == keepsMetadata && (written.xmp != nil) == keepsMetadata)
            // What is cut from the end is lost, and nothing else.
            for count in stride(from: file.count - 1, to: 0, by: -7) {
                let cut = try? registry.info(of: file.prefix(count))
                #expect(cut == nil || cut?.storedSize == written.storedSize)
            }
        }
    }

    @Test func pictureIsPreviewedWhileItArrives() throws {
        let size = PixelSize(700, 500)
        let bitmap = try Bitmap(size, hasAlpha: false) { pixels in
            for index in pixels.indices {
                let (x, y) = (index / 4 % size.width, index / 4 / size.width)
                pixels[index] =
                    index % 4 == 3 ? 255 : UInt8(clamping: (x * (index % 4 + 1) / 8 + y / 3) ^ (x / 20 % 2 * 40))
            }
        }
        let image = Image(info: ImageInfo(format: .png, storedSize: size), bitmap: bitmap)
        let file = try registry.encode(image, as: .jpegXL)
        let request = DecodeRequest(data: file, info: try registry.info(of: file))
        var decoder = try JPEGXLCoder().makePreviewDecoder(request)
        var previews: [Bitmap] = []
        for start in stride(from: 0, to: file.count, by: 500) {
            if let preview = try decoder.append(file.dropFirst(start).prefix(500)) { previews.append(preview) }
        }
        let final = try decoder.finish()
        #expect(try final == JPEGXLCoder().decode(request))
        #expect((1...16).contains(previews.count))
        let difference = try #require(previews.first).meanDifference(to: final)
        #expect(difference > 0 && difference < 20)
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

    /// Core searches for the quality.
    @Test(arguments: [nil, 0.7])
    func fileIsWithinTheByteLimit(_ quality: Double?) throws {
        let bitmap = try folder.fixture("lossless.jxl", references: PNGCoder()).expected
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        func count(_ quality: Double?, within bound: Int?) throws -> Int {
            let context = ImageContext { ($0.quality, $0.encodedByteLimit) = (quality, bound) }
            return try registry.encode(image, as: .jpegXL, context: context).count
        }
        let (low, wanted) = (try count(0.2, within: nil), try count(quality, within: nil))
        #expect(try count(quality, within: low) <= low && count(quality, within: low) > low / 2)
        #expect(try quality == nil || count(quality, within: 10 * wanted) == wanted)
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
