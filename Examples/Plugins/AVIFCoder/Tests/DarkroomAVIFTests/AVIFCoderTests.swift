import DarkroomAVIF
import DarkroomCore
import DarkroomItemFileTestKit
import DarkroomPNG
import DarkroomTestKit
import DarkroomVisualQuality
import Foundation
import Testing

private let folder = FixtureFolder(beside: #filePath)

struct AVIFCoderTests {
    private let contract = CoderContract(AVIFCoder())
    private let registry = CoderRegistry([AVIFCoder()])

    @Test(arguments: try folder.fixtures(withExtension: "avif", references: PNGCoder()))
    func pixelsMatchThoseOfOtherDecoders(_ fixture: FixtureFolder.Fixture) throws {
        #expect(try registry.decode(fixture.data).bitmap.largestVisibleDifference(to: fixture.expected) <= 3)
    }

    @Test(arguments: ["420.avif", "gray.avif", "premultiplied.avif", "cropped.avif", "turned-1.avif", "animation.avif"])
    func coderMeetsTheContract(_ name: String) throws {
        try contract.checkFile(try folder.data(of: name))
    }

    @Test func invalidFilesAreRefused() throws { try contract.checkRefusals() }

    @Test func mutatedFilesAreHandled() throws {
        let seeds = try ["444.avif", "alpha.avif", "animation.avif"].map { try folder.data(of: $0) }
        let tally = try CoderFuzzer(AVIFCoder(), seeds: seeds).run(iterations: 600)
        #expect(tally.acceptedCount > 0 && tally.rejectedCount > 0)
    }

    @Test(arguments: [
        ("turned-1", Orientation.left), ("turned-2", .down), ("turned-3", .right), ("mirrored-0", .downMirrored),
        ("mirrored-1", .upMirrored), ("mirrored-0-turned-1", .leftMirrored), ("mirrored-1-turned-1", .rightMirrored),
    ])
    func rotationAndMirroringBecomeAnOrientation(name: String, orientation: Orientation) throws {
        let info = try registry.info(of: try folder.data(of: name + ".avif"))
        #expect(info.orientation == orientation)
        #expect(info.storedSize == PixelSize(40, 30))
    }

    @Test func headerIsParsed() throws {
        let ten = try registry.info(of: try folder.data(of: "ten-bits.avif"))
        #expect(ten.bitsPerChannel == 10)
        #expect(try registry.info(of: try folder.data(of: "gray.avif")).colorModel == .gray)
        #expect(try registry.info(of: try folder.data(of: "alpha.avif")).hasAlpha)
        let animation = try registry.info(of: try folder.data(of: "animation.avif"))
        #expect(animation.frameCount == 3)
        #expect(animation.frameDurations == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
    }

    @Test func lastFrameCanBeDecodedFirst() throws {
        let image = try registry.decode(try folder.data(of: "animation.avif"))
        var decoder = try #require(image.animation).makeFrameDecoder()
        #expect(try decoder.seek(to: 2))
        let frame = try #require(try decoder.nextFrame())
        #expect(frame.duration == .milliseconds(400))
        #expect(
            frame.bitmap.largestVisibleDifference(
                to: try folder.fixture("animation.avif", references: PNGCoder()).expected) > 100)
        let expected = try CoderRegistry([PNGCoder()]).decode(try folder.data(of: "last-frame.png")).bitmap
        #expect(frame.bitmap.largestVisibleDifference(to: expected) <= 3)
    }

    @Test func qualityOfOneIsLossless() throws {
        for name in ["444.avif", "alpha.avif"] {
            let bitmap = try folder.fixture(name, references: PNGCoder()).expected
            let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
            let data = try registry.encode(image, as: .avif, context: ImageContext { $0.quality = 1 })
            #expect(try registry.decode(data).bitmap.largestVisibleDifference(to: bitmap) == 0)
        }
    }

    @Test func otherQualitiesAreSmallerAndSimilar() throws {
        try contract.checkEncoding()
        let bitmap = try folder.fixture("444.avif", references: PNGCoder()).expected
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let sizes = try [0.1, 0.5, 0.95].map { quality in
            let data = try registry.encode(image, as: .avif, context: ImageContext { $0.quality = quality })
            #expect(try registry.decode(data).bitmap.meanDifference(to: bitmap) < 12)
            return data.count
        }
        #expect(sizes == sizes.sorted())
        let coarse = try registry.encode(image, as: .avif, context: ImageContext { $0.encoderQuality = 60 })
        #expect(coarse.count < sizes[1])
        let knobs: [(inout ImageContext) -> Void] = [
            { $0.quality = 2 }, { $0.quality = .nan }, { $0.avifSpeed = 11 }, { $0.encoderQuality = 64 },
        ]
        for knob in knobs {
            #expect(throws: ImageError.self) { try registry.encode(image, as: .avif, context: ImageContext(knob)) }
        }
    }

    @Test(arguments: [false, true], [false, true])
    func animationIsEncodedCompletely(hasAlpha: Bool, isLossless: Bool) throws {
        // Only the last frame has alpha.
        let names = ["444.avif", "mirrored-1.avif", hasAlpha ? "alpha.avif" : "444.avif"]
        let frames = try zip(names, [.milliseconds(100), .seconds(1) / 30, .milliseconds(400)]).map { name, duration in
            Frame(try folder.fixture(name, references: PNGCoder()).expected, duration: duration)
        }
        let image = try #require(Image(frames: frames, loopCount: 0))
        let context = ImageContext { $0.quality = isLossless ? 1 : 0.9 }
        let file = try registry.encode(image, as: .avif, context: context)
        let decoded = try registry.decode(file)
        let after = try #require(decoded.animation).frames()
        #expect(decoded.info.hasAlpha == hasAlpha)
        for (before, after) in zip(frames, after) {
            let difference = after.bitmap.meanDifference(to: before.bitmap)
            #expect(isLossless ? difference == 0 : difference <= 8)
            #expect(abs((after.duration - before.duration) / .seconds(1)) < 1e-6)
        }
        #expect(after.count == 3)
        try contract.checkFile(file)
        let times = try #require(file.firstRange(of: Data("mvhd".utf8))).upperBound
        #expect(file[(times + 4)..<(times + 20)].allSatisfy { $0 == 0 })
        #expect(throws: ImageError.self) {
            try registry.encode(#require(Image(frames: frames, loopCount: 3)), as: .avif, context: context)
        }
    }

    @Test func fullChromaIsSharper() throws {
        let bitmap = try folder.fixture("444.avif", references: PNGCoder()).expected
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let differences = try [false, true].map { keepsChroma in
            let context = ImageContext {
                $0.encoderQuality = 4
                $0.avifKeepsFullChroma = keepsChroma
            }
            let file = try registry.encode(image, as: .avif, context: context)
            return try registry.decode(file).bitmap.largestVisibleDifference(to: bitmap)
        }
        #expect(differences[1] < differences[0] / 2)
    }

    @Test(arguments: [(0.5, false), (0.89, false), (0.9, true), (0.99, true)])
    func chromaIsFullFromTheQualityOnAtWhichJPEGHasIt(quality: Double, isFull: Bool) throws {
        func file(_ keepsChroma: Bool?) throws -> Data {
            try encode(.colorful()) { ($0.quality, $0.avifKeepsFullChroma) = (quality, keepsChroma) }
        }
        #expect(try file(nil) == file(isFull))
        #expect(try file(nil) != file(!isFull))
    }

    @Test func numberOfTheEncoderLeavesChromaAsItIs() throws {
        let files = try [nil, false, true].map { keepsChroma in
            try encode(.colorful()) { ($0.encoderQuality, $0.quality, $0.avifKeepsFullChroma) = (4, 1, keepsChroma) }
        }
        #expect(files[0] == files[1] && files[0] != files[2])
    }

    @Test func storedResultsAreVisuallyLossless() throws {
        let bitmap = try Bitmap.colorful()
        func score(_ keepsChroma: Bool?) throws -> Double {
            let data = try encode(bitmap) {
                ($0.quality, $0.avifKeepsFullChroma) = (DefaultQuality.stored(at: bitmap.size), keepsChroma)
            }
            return try SSIMULACRA2().score(of: registry.decode(data).bitmap, reference: bitmap) {}
        }
        let (standard, reduced) = (try score(nil), try score(false))
        #expect(standard >= VisualQuality.visuallyLossless.score, "\(standard)")
        #expect(reduced < VisualQuality.visuallyLossless.score, "\(reduced)")
    }

    private func encode(_ bitmap: Bitmap, _ options: (inout ImageContext) -> Void) throws -> Data {
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        return try registry.encode(image, as: .avif, context: ImageContext(options))
    }

    @Test func profileAndExifArePreserved() throws {
        let bitmap = try folder.fixture("444.avif", references: PNGCoder()).expected
        let profile = Data(count: 16) + Data("RGB ".utf8) + Data(count: 108)
        // The only entry sets the orientation to 6, which no longer applies to the upright pixels.
        let exif = Exif(Data([0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]))
        var info = ImageInfo(format: .png, storedSize: bitmap.size)
        info.exif = exif
        var image = Image(info: info, bitmap: bitmap)
        image.metadata.iccProfile = profile
        let data = try registry.encode(image, as: .avif, context: ImageContext { $0.keepsMetadata = true })
        let written = try registry.info(of: data)
        #expect(written.iccProfile == profile)
        #expect(written.exif?.orientation == .up)
        #expect(written.orientation == .up)
    }

    /// Core searches for the quality.
    @Test(arguments: [nil, 0.7])
    func fileIsWithinTheByteLimit(_ quality: Double?) throws {
        let bitmap = try folder.fixture("444.avif", references: PNGCoder()).expected
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        func count(_ quality: Double?, within bound: Int?) throws -> Int {
            let context = ImageContext { ($0.quality, $0.encodedByteLimit) = (quality, bound) }
            return try registry.encode(image, as: .avif, context: context).count
        }
        let (low, wanted) = (try count(0.2, within: nil), try count(quality, within: nil))
        #expect(try count(quality, within: low) <= low && count(quality, within: low) > low / 2)
        #expect(try quality == nil || count(quality, within: 10 * wanted) == wanted)
    }

    /// libavif 0.11 keeps the merged extents of each item.
    @Test func overlappingItemsAreRefusedBeforeTheyAreCopied() throws {
        let file = BoxBuilder.file(brand: "avif", itemCount: 300, extentCount: 2, payload: Data(count: 10_000))
        let error = #expect(throws: ImageError.self) { try registry.info(of: file) }
        #expect(error?.kind == .corrupt)
        #expect(error?.message.contains("and their file has only \(file.count)") == true)
    }

    /// libavif looks for each item in the list of all.
    @Test func tooManyItemsAreRefusedBeforeTheyAreCompared() throws {
        let file = BoxBuilder.file(brand: "avif", itemCount: 5_000, extentCount: 1, payload: Data(count: 1))
        let error = #expect(throws: ImageError.self) { try registry.info(of: file) }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.segmentCount") == true)
    }

    /// The file is opened again for each of them.
    @Test func limitOfItemsAppliesToPixelsAndFrames() throws {
        let file = try folder.data(of: "animation.avif")
        let context = ImageContext { $0.limits.segmentCount = 1 }
        let request = DecodeRequest(data: file, info: try registry.info(of: file), context: context)
        #expect(throws: ImageError.self) { try AVIFCoder().decode(request) }
        #expect(throws: ImageError.self) { try AVIFCoder().makeFrameDecoder(request) }
    }

    @Test func memoryLimitIsCheckedBeforeDecoding() throws {
        let data = try folder.data(of: "444.avif")
        let error = #expect(throws: ImageError.self) {
            try registry.decode(data, context: ImageContext { $0.limits.decodedByteCount = 40 * 30 * 4 })
        }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.decodedByteCount") == true)
    }
}

extension Bitmap {
    /// Returns waves that differ in each channel, as fine as details of chroma can be at full resolution.
    fileprivate static func colorful() throws -> Bitmap {
        let size = PixelSize(160, 120)
        // The radians between pixels, and the direction.
        let waves = [(0.9, 0.2), (0.3, 1.2), (0.8, 2.1)]
        return try Bitmap(size, hasAlpha: false) { pixels in
            for index in pixels.indices {
                let (place, channel) = (index / 4, index % 4)
                guard channel < 3 else { pixels[index] = 255; continue }
                let (step, angle) = waves[channel]
                let distance = Double(place % size.width) * cos(angle) + Double(place / size.width) * sin(angle)
                pixels[index] = UInt8(128 + 60 * sin(distance * step) + 50 * sin(distance / 40))
            }
        }
    }

    fileprivate func meanDifference(to other: Bitmap) -> Int {
        withPixels { left in
            other.withPixels { right in
                left.indices.reduce(0) { $0 + abs(Int(left[$1]) - Int(right[$1])) } / left.count
            }
        }
    }
}
