import DarkroomCore
import DarkroomPNG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct PNGAnimationTests {
    private let registry = CoderRegistry([PNGCoder()])
    private let white = Bitmap(4, 3) { _, _ in .white }

    @Test(arguments: 0..<60, [false, true])
    func framesEqualThoseOfTheReferenceCompositorInAnyOrder(_ seed: UInt64, _ hasAlpha: Bool) throws {
        var random = SeededGenerator(seed: seed)
        let builder = AnimatedPNGBuilder.random(&random, hasAlpha: hasAlpha)
        let expected = builder.slowFrames()
        let image = try registry.decode(builder.data)
        let animation = try #require(image.animation)
        #expect(animation.frameCount == expected.count)
        #expect(image.bitmap.isNear(expected[0]))
        var decoder = try animation.makeFrameDecoder()
        for (index, bytes) in expected.enumerated() {
            let bitmap = try #require(try decoder.nextFrame()).bitmap
            #expect(bitmap.isNear(bytes) && bitmap.hasAlpha == image.info.hasAlpha, "frame \(index)")
        }
        for _ in 0..<6 {
            let index = Int.random(in: expected.indices, using: &random)
            #expect(try decoder.seek(to: index))
            #expect(try decoder.nextFrame()?.bitmap.isNear(expected[index]) == true, "frame \(index), random access")
        }
    }

    @Test func opaqueFramesThatCoverTheCanvasHaveNoAlpha() throws {
        var builder = AnimatedPNGBuilder(canvas: white.size, hasAlpha: false, frames: [frame, frame])
        #expect(try info(builder).hasAlpha == false)
        // The disposal of the last frame is never visible.
        builder.frames[1].disposal = 1
        #expect(try info(builder).hasAlpha == false)
        builder.frames.append(
            AnimatedPNGBuilder.Frame(pixels: white.part(PixelRectangle(x: 0, y: 0, width: 2, height: 2))))
        #expect(try info(builder).hasAlpha)
        #expect(try registry.decode(builder.data).bitmap.hasAlpha)
    }

    @Test(
        arguments: [
            (0, 0, .milliseconds(100)), (1, 100, .milliseconds(100)), (11, 1000, .milliseconds(11)),
            (21, 2000, .milliseconds(100)), (2, 0, .milliseconds(20)), (1, 30, .seconds(1) / 30), (7, 1, .seconds(7)),
        ] as [(UInt16, UInt16, Duration)])
    func delayIsAFractionOfASecond(_ ticks: UInt16, _ second: UInt16, _ duration: Duration) throws {
        var builder = AnimatedPNGBuilder(canvas: white.size, frames: [frame, frame])
        builder.frames[1].delay = (ticks, second)
        #expect(try info(builder).frameDurations == [.milliseconds(100), duration])
    }

    @Test(arguments: [0, 1, 3, .max] as [UInt32])
    func loopCountIsRead(_ count: UInt32) throws {
        let info = try info(AnimatedPNGBuilder(canvas: white.size, loopCount: count, frames: [frame, frame]))
        #expect(info.loopCount == Int(count))
        #expect(info.frameCount == 2)
    }

    @Test func defaultImageOutsideTheAnimationIsNotAFrame() throws {
        let black = Bitmap(4, 3, hasAlpha: true) { _, _ in Color(red: 0, green: 0, blue: 0) }
        var builder = AnimatedPNGBuilder(canvas: white.size, frames: [frame, frame], picture: black)
        let image = try registry.decode(builder.data)
        #expect(image.info.frameCount == 2)
        #expect(image.bitmap.color(x: 0, y: 0) == .white)
        let first = try registry.decode(builder.data, context: ImageContext { $0.usesFirstFrameOnly = true })
        #expect(first.bitmap.color(x: 0, y: 0) == .white && first.animation == nil)
        builder.frames.removeLast()
        let still = try registry.decode(builder.data)
        #expect(still.bitmap.color(x: 0, y: 0) == .white && still.animation == nil)
    }

    @Test func singleFrameIsAStill() throws {
        let image = try registry.decode(AnimatedPNGBuilder(canvas: white.size, loopCount: 3, frames: [frame]).data)
        #expect(image.animation == nil)
        #expect(image.info.frameCount == 1 && image.info.loopCount == 0 && image.info.frameDurations.isEmpty)
    }

    @Test func framesCountWhenComplete() throws {
        let builder = AnimatedPNGBuilder(canvas: white.size, frames: [frame, frame, frame], declaredFrameCount: 90)
        let data = builder.data
        let starts = data.ranges(of: Data("fcTL".utf8)).map(\.upperBound)
        for count in 60..<data.count {
            guard let info = try? PNGCoder().info(of: Data(data.prefix(count))) else { continue }
            let begun = starts.count { $0 <= count }
            #expect(info.frameCount == (count == data.count - 4 || count > data.count - 5 ? 3 : max(begun - 1, 1)))
            #expect(info.frameDurations.count == (info.frameCount > 1 ? info.frameCount : 0))
        }
    }

    @Test func coderContractHolds() throws {
        for (seed, hasAlpha) in [(4, false), (5, true)] {
            var random = SeededGenerator(seed: UInt64(seed))
            try CoderContract(PNGCoder()).checkFile(AnimatedPNGBuilder.random(&random, hasAlpha: hasAlpha).data)
        }
    }

    @Test func framesAreResized() throws {
        let builder = AnimatedPNGBuilder(canvas: white.size, frames: [frame, frame])
        let image = try registry.decode(builder.data, context: ImageContext { $0.thumbnail = .fit(2, 2) })
        #expect(try image.animation?.frames().map(\.bitmap.size) == [PixelSize(2, 2), PixelSize(2, 2)])
    }

    private var frame: AnimatedPNGBuilder.Frame { AnimatedPNGBuilder.Frame(pixels: white) }

    private func info(_ builder: AnimatedPNGBuilder) throws -> ImageInfo { try PNGCoder().info(of: builder.data) }
}

extension Bitmap {
    /// Whether the bytes are equal, up to one level where colours are blended.
    fileprivate func isNear(_ bytes: [UInt8]) -> Bool {
        let own = self.bytes
        return own.count == bytes.count && zip(own, bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
}
