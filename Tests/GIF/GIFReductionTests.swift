import DarkroomCore
import DarkroomGIF
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite struct GIFReductionTests {
    private let registry = CoderRegistry([GIFCoder()])

    private func encoded(_ bitmaps: [Bitmap], _ change: (inout ImageContext) -> Void = { _ in }) throws -> Data {
        let image = try #require(Image(frames: bitmaps.map { Frame($0, duration: .milliseconds(100)) }, format: .gif))
        return try registry.encode(image, as: .gif, context: ImageContext(change))
    }

    private func frames(_ data: Data) throws -> [Bitmap] {
        let image = try registry.decode(data)
        return try image.animation?.frames().map(\.bitmap) ?? [image.bitmap]
    }

    private static func picture(_ number: Int = 0, hasAlpha: Bool = false) -> Bitmap {
        Bitmap(48, 32, hasAlpha: hasAlpha) { x, y in
            let isClear = hasAlpha && x + y < 30
            return Color(
                red: UInt8(x * 3 + number), green: UInt8(y * 5 - number / 2 + 15), blue: UInt8(x + y + number * 2),
                alpha: isClear ? 0 : 255)
        }
    }

    @Test(arguments: [2, 3, 16, 256], [false, true])
    func framesHaveAtMostAsManyColors(_ count: Int, _ hasAlpha: Bool) throws {
        let bitmaps = [0, 10, 30].map { Self.picture($0, hasAlpha: hasAlpha) }
        for part in [bitmaps, [bitmaps[0]]] {
            let data = try encoded(part) { $0.gifColorCount = count }
            #expect(try encoded(part) { $0.gifColorCount = count } == data)
            let decoded = try frames(data)
            for (bitmap, frame) in zip(part, decoded) {
                #expect(Set(frame.colors).count <= count)
                #expect(zip(bitmap.colors, frame.colors).allSatisfy { $0.alpha == $1.alpha })
            }
            #expect(decoded.count == part.count)
        }
    }

    @Test func fewerColorsMakeSmallerFiles() throws {
        let sizes = try [256, 64, 16, 4].map { count in try encoded([Self.picture()]) { $0.gifColorCount = count }.count
        }
        #expect(sizes == sizes.sorted(by: >) && sizes[3] < sizes[0] / 2)
    }

    @Test func palettesOfAsManyColorsAreExact() throws {
        let bitmaps = (0..<3).map { frame in
            Bitmap(10, 3) { x, y in Color(red: UInt8(y * 10 + x), green: UInt8(frame), blue: 0) }
        }
        #expect(try frames(encoded(bitmaps) { $0.gifColorCount = 30 }) == bitmaps)
        #expect(try frames(encoded(bitmaps) { $0.gifColorCount = 29 }) != bitmaps)
    }

    @Test func ditheringHasAStrength() throws {
        let sizes = try [0, 0.5, 1].map { strength in
            try encoded([Self.picture()]) {
                $0.gifColorCount = 16
                $0.gifDithering = strength
            }.count
        }
        #expect(sizes == sizes.sorted() && sizes[0] < sizes[1])
    }

    /// A slow change must not be lost, however many frames it takes.
    @Test(arguments: [1, 4, 20]) func errorsStayWithinTheTolerance(_ tolerance: Int) throws {
        let bitmaps = (0..<60).map { number in
            Bitmap(12, 9) { x, _ in Color(red: UInt8(number), green: UInt8(x < 6 ? number / 2 : 200), blue: 30) }
        }
        let data = try encoded(bitmaps) { $0.gifFrameTolerance = tolerance }
        let decoded = try frames(data)
        #expect(decoded.count == bitmaps.count)
        for (bitmap, frame) in zip(bitmaps, decoded) { #expect(frame.largestDifference(to: bitmap) <= tolerance) }
        #expect(decoded != bitmaps)
        #expect(try data.count < encoded(bitmaps).count)
    }

    @Test func noiseWithinTheToleranceIsNotDrawn() throws {
        var random = SeededGenerator(seed: 3)
        let bitmaps = (0..<10).map { _ in
            Bitmap(40, 30) { x, y in
                Color(red: UInt8(x * 6) + UInt8.random(in: 0...5, using: &random), green: UInt8(y * 8), blue: 90)
            }
        }
        let exact = try encoded(bitmaps)
        let tolerant = try encoded(bitmaps) { $0.gifFrameTolerance = 5 }
        #expect(tolerant.count * 5 < exact.count)
        #expect(GIFBlocks(tolerant).frames.dropFirst().allSatisfy { $0.area.width == 1 })
    }

    @Test func transparencyIsExactWhateverTheTolerance() throws {
        let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
        let bitmaps = (0..<4).map { index in
            Bitmap(8, 3, hasAlpha: true) { x, _ in
                x == 2 * index || x == 7 ? Color(red: UInt8(index), green: 0, blue: 0) : clear
            }
        }
        let decoded = try frames(encoded(bitmaps) { $0.gifFrameTolerance = 255 })
        for (bitmap, frame) in zip(bitmaps, decoded) {
            #expect(zip(bitmap.colors, frame.colors).allSatisfy { $0.alpha == $1.alpha })
        }
    }

    @Test(arguments: [1, 3]) func fileIsReducedUntilItIsSmallEnough(_ frameCount: Int) throws {
        let bitmaps = (0..<frameCount).map { Self.picture($0 * 6) }
        let best = try encoded(bitmaps).count
        #expect(try encoded(bitmaps) { $0.encodedByteLimit = best }.count == best)
        for bound in [best - 1, best / 2, best / 4] {
            let data = try encoded(bitmaps) { $0.encodedByteLimit = bound }
            #expect(data.count <= bound && data.count > bound / 3)
            #expect(try frames(data).count == frameCount)
        }
        let smallest = try frames(encoded(bitmaps) { $0.encodedByteLimit = 10 })
        #expect(smallest.allSatisfy { Set($0.colors).count <= 2 * frameCount })
    }

    @Test(
        arguments: [
            { $0.gifColorCount = 1 }, { $0.gifColorCount = 257 }, { $0.gifFrameTolerance = -1 },
            { $0.gifFrameTolerance = 256 }, { $0.gifDithering = 1.5 }, { $0.gifDithering = .nan },
        ] as [@Sendable (inout ImageContext) -> Void])
    func valueOutOfRangeIsUnsupported(_ change: @Sendable (inout ImageContext) -> Void) throws {
        let image = try #require(Image(frames: [Frame(Self.picture(), duration: .seconds(1))], format: .gif))
        let error = #expect(throws: ImageError.self) {
            try registry.encode(image, as: .gif, context: ImageContext(change))
        }
        #expect(error?.kind == .unsupported && error?.message.contains("context.gif") == true)
    }
}
