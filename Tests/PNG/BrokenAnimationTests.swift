import DarkroomCore
import DarkroomPNG
import FoundationEssentials
import TestSupport
import Testing

struct BrokenAnimationTests {
    private let registry = CoderRegistry([PNGCoder()])
    private static let white = Bitmap(4, 3) { _, _ in .white }
    private static let frame = AnimatedPNGBuilder.Frame(pixels: white)
    private static let whole = AnimatedPNGBuilder(canvas: white.size, frames: [frame, frame, frame])

    @Test(arguments: [(1, 0), (0, 1), (-1, 0), (4, 0)])
    func frameOutsideTheCanvasEndsTheAnimation(_ x: Int, _ y: Int) throws {
        for index in [1, 2] {
            var builder = Self.whole
            (builder.frames[index].x, builder.frames[index].y) = (x, y)
            let image = try registry.decode(builder.data)
            #expect(image.info.frameCount == index && image.metadata.isIncomplete)
            #expect(image.bitmap.color(x: 3, y: 2) == .white)
        }
    }

    @Test func defaultImageThatIsNoFrameOfTheCanvasIsAStill() throws {
        var builder = Self.whole
        builder.frames[0].x = 1
        let image = try registry.decode(builder.data)
        #expect(image.animation == nil && image.info.frameCount == 1)
        #expect(image.bitmap.color(x: 3, y: 2) == .white)
    }

    /// Any wrong byte of a control chunk, whose checksum is right.
    @Test(arguments: 0..<26)
    func brokenControlNeverRefusesTheFile(_ place: Int) throws {
        let controls = Self.whole.chunks.indices.filter {
            Self.whole.chunks[$0].dropFirst(4).starts(with: Data("fcTL".utf8))
        }
        for control in controls {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var chunks = Self.whole.chunks
                var body = Data(chunks[control].dropFirst(8).dropLast(4))
                body[body.startIndex + place] = value
                chunks[control] = AnimatedPNGBuilder.chunk("fcTL", body)
                let image = try registry.decode(chunks.reduce(Self.whole.data.prefix(8), +))
                #expect(image.bitmap.color(x: 3, y: 2) == .white)
            }
        }
    }

    @Test func wrongChecksumEndsTheAnimation() throws {
        var data = Self.whole.data
        let start = try #require(data.ranges(of: Data("fcTL".utf8)).last)
        data[start.upperBound + 6] ^= 1
        #expect(try PNGCoder().info(of: data).frameCount == 2)
        #expect(try registry.decode(data).bitmap.color(x: 0, y: 0) == .white)
    }

    @Test func brokenAnimationControlGivesAStill() throws {
        var chunks = Self.whole.chunks
        chunks[1] = AnimatedPNGBuilder.chunk("acTL", Data([0, 0, 0, 3]))
        let image = try registry.decode(chunks.reduce(Self.whole.data.prefix(8), +))
        #expect(image.info.frameCount == 1 && image.animation == nil)
        #expect(image.bitmap.color(x: 0, y: 0) == .white)
    }

    @Test func chunkOutOfOrderEndsTheAnimation() throws {
        var chunks = Self.whole.chunks
        let controls = chunks.indices.filter { chunks[$0].dropFirst(4).starts(with: Data("fcTL".utf8)) }
        chunks.swapAt(controls[2], controls[1])
        let data = chunks.reduce(Self.whole.data.prefix(8), +)
        #expect(try PNGCoder().info(of: data).frameCount == 1)
    }

    @Test func framesBeyondTheDeclaredCountAreIgnored() throws {
        var builder = Self.whole
        builder.declaredFrameCount = 2
        #expect(try registry.decode(builder.data).animation?.frames().count == 2)
        builder.declaredFrameCount = 0
        #expect(try PNGCoder().info(of: builder.data).frameCount == 1)
    }

    @Test func declaredFramesUseNoMemory() throws {
        var builder = Self.whole
        builder.declaredFrameCount = UInt32(Int32.max)
        #expect(try PNGCoder().info(of: builder.data).frameCount == 3)
        builder.declaredFrameCount = .max
        #expect(try PNGCoder().info(of: builder.data).frameCount == 1, "the count exceeds the range of PNG")
    }

    @Test func twoAnimationsInOneFileGiveAStill() throws {
        var chunks = Self.whole.chunks
        chunks.insert(chunks[1], at: 1)
        let image = try registry.decode(chunks.reduce(Self.whole.data.prefix(8), +))
        #expect(image.animation == nil && image.info.frameCount == 1)
    }

    @Test(arguments: ["fdAT", "IDAT"])
    func corruptPixelsAffectTheirFrameOnly(_ name: String) throws {
        var data = Self.whole.data
        let start = try #require(data.firstRange(of: Data(name.utf8)))
        data[start.upperBound + 30] ^= 1
        var decoder = try PNGCoder().makeFrameDecoder(request(data))
        for index in 0..<3 {
            if index == 0, name == "IDAT" {
                let error = #expect(throws: ImageError.self) { try decoder.nextFrame() }
                #expect(error?.kind == .corrupt)
            } else {
                let frame = try #require(try decoder.nextFrame())
                #expect(frame.bitmap.color(x: 3, y: 2) == .white)
                #expect((frame.damage != nil) == (index == 1 && name == "fdAT"))
            }
        }
        #expect(try decoder.nextFrame() == nil)
    }

    @Test func frameWithTooFewRowsShowsTheOneBefore() throws {
        var builder = Self.whole
        builder.chunkByteCount = 20
        var chunks = builder.chunks
        let last = try #require(chunks.lastIndex { $0.dropFirst(4).starts(with: Data("fdAT".utf8)) })
        chunks.removeSubrange((last - 1)...last)
        let data = chunks.reduce(builder.data.prefix(8), +)
        var decoder = try PNGCoder().makeFrameDecoder(request(data))
        _ = try (decoder.nextFrame(), decoder.nextFrame())
        let frame = try #require(try decoder.nextFrame())
        #expect(frame.damage == "frame 3 is not shown: a frame of the PNG file has too few rows")
        #expect(frame.bitmap.color(x: 3, y: 2) == .white)
    }

    @Test func frameLimitIsEnforced() throws {
        let error = #expect(throws: ImageError.self) {
            try registry.decode(Self.whole.data, context: ImageContext { $0.limits.frameCount = 2 })
        }
        #expect(error?.kind == .overLimit)
    }

    @Test func tooManyChunksAreRejected() throws {
        var builder = Self.whole
        let empty = AnimatedPNGBuilder.chunk("teXt", Data())
        builder.extra = Array(repeating: empty, count: 10)
        #expect(try PNGCoder().info(of: builder.data).frameCount == 3)
        // There are 2 to the power of 17 of them.
        builder.extra = [(0..<17).reduce(empty) { many, _ in many + many }]
        let error = #expect(throws: ImageError.self) { try PNGCoder().info(of: builder.data) }
        #expect(error?.kind == .overLimit)
    }

    @Test func cancelledFrameStops() throws {
        let flag = CancellationFlag()
        let info = try PNGCoder().info(of: Self.whole.data)
        var decoder = try PNGCoder().makeFrameDecoder(
            DecodeRequest(data: Self.whole.data, info: info, cancellation: flag))
        _ = try decoder.nextFrame()
        flag.set()
        let error = #expect(throws: ImageError.self) { try decoder.nextFrame() }
        #expect(error?.kind == .cancelled)
    }

    @Test func corruptByteGivesAnErrorOrAnImage() throws {
        let data = Self.whole.data
        for index in data.indices {
            var changed = data
            changed[index] ^= 0x11
            do {
                _ = try registry.decode(changed).animation?.frames()
            } catch let error as ImageError {
                #expect(error.kind != .internal)
            }
        }
    }

    private func request(_ data: Data) throws -> DecodeRequest {
        DecodeRequest(data: data, info: try PNGCoder().info(of: data))
    }
}
