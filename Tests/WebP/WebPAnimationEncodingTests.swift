import DarkroomCore
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

@Suite struct WebPAnimationEncodingTests {
    private let registry = CoderRegistry([WebPCoder()])
    private let lossless = ImageContext { $0.writesLosslessWebP = true }

    private func image(_ bitmaps: [Bitmap], durations: [Double]? = nil, loopCount: Int = 0) throws -> Image {
        let frames = bitmaps.enumerated().map { Frame($1, duration: .seconds(durations?[$0] ?? 0.05)) }
        return try #require(Image(frames: frames, loopCount: loopCount))
    }

    private func encode(_ image: Image, _ context: ImageContext) throws -> Data {
        try registry.encode(image, as: .webp, context: context)
    }

    /// Draws a dot that moves over a gradient, or over transparent pixels.
    private func walk(_ count: Int, hasAlpha: Bool = false) -> [Bitmap] {
        (0..<count).map { index in
            Bitmap(40, 30, hasAlpha: hasAlpha) { x, y in
                if (x - 3 * index - 5) * (x - 3 * index - 5) + (y - 15) * (y - 15) < 12 {
                    return Color(red: 250, green: 10, blue: 20, alpha: hasAlpha ? 130 : 255)
                }
                return hasAlpha
                    ? Color(red: 0, green: 0, blue: 0, alpha: 0)
                    : Color(red: UInt8(x * 6), green: UInt8(y * 8), blue: 90)
            }
        }
    }

    @Test(arguments: 0..<20)
    func losslessFramesRoundTripExactly(seed: UInt64) throws {
        let original = try registry.decode(RandomWebP(seed: seed).file())
        let copy = try registry.decode(encode(original, lossless))
        let (frames, copied) = (try #require(original.animation).frames(), try #require(copy.animation).frames())
        #expect(copied.map(\.duration) == frames.map(\.duration))
        #expect(copied.map(\.bitmap.bytes) == frames.map(\.bitmap.bytes))
        #expect(copy.animation?.loopCount == 3)
    }

    @Test(arguments: [true, false])
    func lossyFramesRoundTripApproximately(_ hasAlpha: Bool) throws {
        let frames = walk(4, hasAlpha: hasAlpha)
        let copy = try registry.decode(encode(image(frames), ImageContext()))
        for (frame, original) in zip(try #require(copy.animation).frames(), frames) {
            #expect(frame.bitmap.hasAlpha == hasAlpha)
            let pairs = zip(frame.bitmap.bytes, original.bytes)
            let sum = pairs.reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(Double(sum) / Double(original.byteCount) < 4)
        }
    }

    @Test func onlyChangedPixelsAreWritten() throws {
        let frames = walk(2) + [walk(2)[1]]
        let data = try encode(image(frames), lossless)
        let areas = data.frameHeaders.map { header in
            [0, 3, 6, 9].map { header[$0] + header[$0 + 1] << 8 }
        }
        // The dot is 7 pixels wide and moves 3 pixels to the right.
        #expect(areas == [[0, 0, 39, 29], [1, 6, 9, 6], [0, 0, 0, 0]])
        #expect(data.frameHeaders.allSatisfy { $0[15] == 2 })
        #expect(try registry.info(of: data).frameCount == 3)
    }

    @Test(arguments: [1.0 / 24, 1.0 / 30, 1.0 / 60, 0.0107])
    func sumOfTheDurationsIsKept(_ duration: Double) throws {
        let durations = Array(repeating: duration, count: 60)
        let bitmaps = durations.map { _ in Bitmap(2, 2) { _, _ in .white } }
        let stored = try registry.info(of: encode(image(bitmaps, durations: durations), lossless)).frameDurations.map {
            $0 / .seconds(1)
        }
        #expect(stored.allSatisfy { abs($0 - duration) < 0.00101 })
        // Decoders show frames of up to ten milliseconds for a hundred, so that none of those may be written.
        #expect(abs(stored.reduce(0, +) - durations.reduce(0, +)) < (duration < 0.011 ? 0.019 : 0.00051))
    }

    @Test func durationsAreRoundedToMilliseconds() throws {
        let durations = [0.0114, 0.0116, 1.001, 16_777.215]
        let data = try encode(image(walk(4), durations: durations), lossless)
        #expect(try registry.info(of: data).frameDurations == [11, 12, 1001, 16_777_215].map { .milliseconds($0) })
    }

    @Test func valuesBeyondTheFormatAreUnsupported() throws {
        for image in [
            try image(walk(2), loopCount: 65_536), try image(walk(2), durations: [1, 20_000]),
            try image(walk(2), durations: [1, 1e15]),
            try image([walk(1)[0], Bitmap(2, 2) { _, _ in .white }]),
        ] {
            let error = #expect(throws: ImageError.self) { try encode(image, lossless) }
            #expect(error?.kind == .unsupported)
        }
        #expect(try registry.info(of: encode(image(walk(2), loopCount: 65_535), lossless)).loopCount == 65_535)
    }

    @Test func animationWithOneFrameIsAStill() throws {
        let bitmap = walk(1)[0]
        let animation = Animation(frames: [Frame(bitmap, duration: .seconds(1))], loopCount: 4)
        let image = Image(
            info: ImageInfo(format: .webp, storedSize: bitmap.size), bitmap: bitmap, animation: animation)
        let still = Image(info: image.info, bitmap: bitmap)
        #expect(try encode(image, lossless) == encode(still, lossless))
    }

    @Test func firstFrameOnlyIsAStill() throws {
        let context = ImageContext {
            $0.writesLosslessWebP = true
            $0.usesFirstFrameOnly = true
        }
        let image = try image(walk(3))
        #expect(try encode(image, context) == encode(Image(info: image.info, bitmap: image.bitmap), lossless))
    }

    @Test(arguments: [true, false])
    func equalRequestsGiveEqualBytes(_ isLossless: Bool) throws {
        let context = ImageContext { $0.writesLosslessWebP = isLossless }
        let image = try image(walk(3, hasAlpha: true))
        #expect(try encode(image, context) == encode(image, context))
    }

    @Test func byteLimitIsSharedByTheFrames() throws {
        let image = try image(walk(5))
        let free = try encode(image, ImageContext())
        let bound = free.count / 2
        let data = try encode(image, ImageContext { $0.encodedByteLimit = bound })
        #expect(data.count <= bound)
        #expect(try registry.info(of: data).frameCount == 5)
    }

    @Test func failingFrameFailsTheEncode() throws {
        let animation = Animation(loopCount: 0, frameDurations: [.seconds(1), .seconds(1)], byteCount: 0) {
            throw ImageError(.corrupt, .decode, "broken")
        }
        let bitmap = walk(1)[0]
        let image = Image(
            info: ImageInfo(format: .webp, storedSize: bitmap.size), bitmap: bitmap, animation: animation)
        let error = #expect(throws: ImageError.self) { try encode(image, lossless) }
        #expect(error?.kind == .corrupt)
    }
}

extension Data {
    /// The frame headers of a WebP, of 16 bytes each.
    fileprivate var frameHeaders: [[Int]] {
        var headers: [[Int]] = []
        var position = 12
        while position + 8 <= count {
            let size = (4..<8).reduce(0) { $0 | Int(self[position + $1]) << (8 * ($1 - 4)) }
            if self[position..<(position + 4)].elementsEqual(Array("ANMF".utf8)) {
                headers.append(self[(position + 8)..<(position + 24)].map(Int.init))
            }
            position += 8 + size + size % 2
        }
        return headers
    }
}
