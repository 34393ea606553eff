import DarkroomCore
import DarkroomGIF
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite struct GIFAnimatedEncodingTests {
    private let registry = CoderRegistry([GIFCoder()])
    private let red = Color(red: 255, green: 0, blue: 0)
    private let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

    private func encoded(_ bitmaps: [Bitmap], durations: [Double]? = nil, loopCount: Int = 0) throws -> Data {
        let frames = zip(bitmaps, durations ?? Array(repeating: 0.1, count: bitmaps.count)).map {
            Frame($0, duration: .seconds($1))
        }
        let image = try #require(Image(frames: frames, loopCount: loopCount, format: .gif))
        let data = try registry.encode(image, as: .gif)
        #expect(try registry.encode(image, as: .gif) == data)
        return data
    }

    private func frames(_ data: Data) throws -> [Bitmap] {
        try #require(try registry.decode(data).animation).frames().map(\.bitmap)
    }

    @Test(arguments: 0..<16)
    func fewColorsRoundTripExactly(_ seed: UInt64) throws {
        let random = RandomGIF(seed: seed, isFirstWhole: seed % 2 == 0)
        let image = try registry.decode(random.data)
        let data = try registry.encode(image, as: .gif)
        #expect(try frames(data).map(\.colors) == random.pictures)
        let info = try registry.info(of: data)
        #expect(info.loopCount == image.info.loopCount)
        #expect(info.frameDurations == image.info.frameDurations)
        #expect(GIFBlocks(data).hasCommonColors)
        #expect(!GIFBlocks(data).frames.contains { $0.hasOwnColors })
    }

    @Test(arguments: [(0, 0), (1, nil), (2, 2), (65_535, 65_535)] as [(Int, Int?)])
    func loopCountIsWritten(_ count: Int, _ stored: Int?) throws {
        let data = try encoded([Bitmap(1, 1) { _, _ in red }, Bitmap(1, 1) { _, _ in .white }], loopCount: count)
        #expect(GIFBlocks(data).loopCount == stored)
        #expect(try registry.info(of: data).loopCount == count)
    }

    @Test func durationsAreRoundedToHundredths() throws {
        let bitmap = Bitmap(1, 1) { _, _ in red }
        let data = try encoded(
            Array(repeating: bitmap, count: 6), durations: [0.014, 0.034, 0.043, 1.239, 100, 655.35])
        #expect(
            try registry.info(of: data).frameDurations
                == [20, 30, 40, 1240, 100_000, 655_350].map { .milliseconds($0) })
    }

    /// At 24, 30 and 60 frames a second, and at random times of at least two hundredths.
    @Test(arguments: [1.0 / 24, 1.0 / 30, 0.033, 0.0267, nil])
    func sumOfTheDurationsIsKept(_ duration: Double?) throws {
        var random = SeededGenerator(seed: 7)
        let durations = (0..<90).map { _ in duration ?? Double.random(in: 0.02...0.2, using: &random) }
        let bitmap = Bitmap(1, 1) { _, _ in red }
        let stored = try registry.info(of: encoded(durations.map { _ in bitmap }, durations: durations)).frameDurations
            .map { $0 / .seconds(1) }
        for count in durations.indices {
            let lost = stored[...count].reduce(0, +) - durations[...count].reduce(0, +)
            #expect(abs(lost) < 0.0101, "after \(count) frames")
            #expect(abs(stored[count] - durations[count]) < 0.0101)
        }
        #expect(abs(stored.reduce(0, +) - durations.reduce(0, +)) < 0.0051 || duration == nil)
    }

    @Test(arguments: [255, 256])
    func framesWithManyColorsHaveLocalPalettes(_ count: Int) throws {
        let bitmaps = (0..<3).map { frame in
            Bitmap(20, 20) { x, y in
                Color(red: UInt8((y * 20 + x) % count), green: UInt8(frame * 90), blue: x == 3 ? 7 : UInt8(frame))
            }
        }.map { bitmap in bitmap.part(PixelRectangle(x: 4, y: 0, width: 16, height: 20)) }
        let data = try encoded(bitmaps)
        #expect(try frames(data) == bitmaps)
        #expect(!GIFBlocks(data).hasCommonColors)
    }

    @Test func changeTo256ColorsIsExact() throws {
        let before = Bitmap(17, 16) { _, _ in red }
        // The last column stays red, which makes 256 colours only in the whole image.
        let after = Bitmap(17, 16) { x, y in x == 16 ? red : Color(red: UInt8(y * 16 + x), green: 1, blue: 0) }
        let corners = Bitmap(17, 16) { x, y in x == 16 && y % 15 == 0 ? .white : after.color(x: x, y: y) ?? red }
        #expect(try frames(encoded([before, after])) == [before, after])
        #expect(try frames(encoded([after, corners])).count == 2)
    }

    @Test func frameDrawsOnlyWhatChanges() throws {
        let before = Bitmap(9, 7) { _, _ in red }
        let after = Bitmap(9, 7) { x, y in x == 5 && y == 4 || x == 3 && y == 2 ? .white : red }
        let data = try encoded([before, after, after])
        #expect(
            GIFBlocks(data).frames.map(\.area) == [
                PixelRectangle(x: 0, y: 0, width: 9, height: 7), PixelRectangle(x: 3, y: 2, width: 3, height: 3),
                PixelRectangle(x: 0, y: 0, width: 1, height: 1),
            ])
        #expect(GIFBlocks(data).frames.allSatisfy { $0.disposal == 1 })
        #expect(try frames(data) == [before, after, after])
    }

    @Test func frameIsClearedWhereTheNextIsTransparent() throws {
        let bitmaps = (0..<4).map { index in
            Bitmap(8, 3, hasAlpha: true) { x, _ in x == 2 * index || x == 7 ? red : clear }
        }
        let data = try encoded(bitmaps)
        #expect(GIFBlocks(data).frames.map(\.disposal) == [2, 2, 2, 1])
        #expect(try frames(data) == bitmaps)
    }

    @Test func unchangedPixelsKeepTheirReducedColor() throws {
        let photograph = { (shift: Int) in
            Bitmap(48, 48) { x, y in
                let isMoving = x < 16 && y < 16
                return Color(
                    red: UInt8(x * 5), green: UInt8(y * 5), blue: UInt8(isMoving ? (x * y + shift) & 255 : x + y))
            }
        }
        let originals = [photograph(0), photograph(40), photograph(90)]
        let decoded = try frames(encoded(originals))
        #expect(decoded.count == 3)
        let still = PixelRectangle(x: 16, y: 0, width: 32, height: 48)
        #expect(decoded.allSatisfy { $0.part(still) == decoded[0].part(still) && !$0.hasAlpha })
        for (original, picture) in zip(originals, decoded) { #expect(picture.largestDifference(to: original) <= 48) }
    }

    @Test func framesAreScaledDownToTheTarget() throws {
        let data = Fixture("gif-animated.gif").data
        let context = ImageContext { $0.encodedSizeLimit = PixelSize(10, 10) }
        let image = try registry.decode(data)
        let info = try registry.info(of: registry.encode(image, as: .gif, context: context))
        #expect(info.storedSize == PixelSize(10, 6))
        #expect(info.frameDurations == image.info.frameDurations)
    }

    @Test func failingFrameFailsTheEncode() throws {
        let bitmap = Bitmap(1, 1) { _, _ in red }
        let animation = Animation(loopCount: 0, frameDurations: [.seconds(1), .seconds(1)], byteCount: 0) {
            throw ImageError.endOfFrames
        }
        let image = Image(info: ImageInfo(format: .gif, storedSize: bitmap.size), bitmap: bitmap, animation: animation)
        let error = #expect(throws: ImageError.self) { try registry.encode(image, as: .gif) }
        #expect(error?.kind == .incomplete)
    }

    @Test func framesOfDifferentSizesAreUnsupported() throws {
        let large = Bitmap(2, 2) { _, _ in red }
        let frames = [Frame(large, duration: .seconds(1)), Frame(Bitmap(1, 1) { _, _ in red }, duration: .seconds(1))]
        let image = Image(
            info: ImageInfo(format: .gif, storedSize: large.size), bitmap: large, animation: Animation(frames: frames))
        let error = #expect(throws: ImageError.self) { try registry.encode(image, as: .gif) }
        #expect(error?.kind == .unsupported)
    }

    @Test(arguments: [2, 300])
    func cancelledEncodeStopsAtTheNextFrame(_ colorCount: Int) throws {
        let bitmap = Bitmap(20, 20) { x, y in
            let index = (y * 20 + x) % colorCount
            return Color(red: UInt8(index & 255), green: UInt8(index >> 8), blue: 0)
        }
        let flag = CancellationFlag()
        let animation = Animation(loopCount: 0, frameDurations: [.seconds(1), .seconds(1)], byteCount: 0) {
            CancellingFrames(bitmap: bitmap, flag: flag, last: 2)
        }
        let image = Image(info: ImageInfo(format: .gif, storedSize: bitmap.size), bitmap: bitmap, animation: animation)
        let error = #expect(throws: ImageError.self) { try registry.encode(image, as: .gif, cancellation: flag) }
        #expect(error?.kind == .cancelled)
    }

    @Test func singleFrameIsAStill() throws {
        let bitmap = Bitmap(2, 2) { _, _ in red }
        let animation = Animation(frames: [Frame(bitmap, duration: .seconds(1))])
        let info = ImageInfo(format: .gif, storedSize: bitmap.size)
        #expect(
            try registry.encode(Image(info: info, bitmap: bitmap, animation: animation), as: .gif)
                == registry.encode(Image(info: info, bitmap: bitmap), as: .gif))
    }
}

extension ImageError {
    fileprivate static let endOfFrames = ImageError(.incomplete, .decode, "there are no more frames")
}
