import DarkroomCore
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

@Suite struct WebPInfoTests {
    private let full = PixelSize(35, 21)

    private func info(of data: Data) throws -> ImageInfo { try WebPCoder().info(of: data) }

    @Test func animationIsReported() throws {
        let info = try info(of: Fixture("webp-animated.webp").data)
        #expect(info.storedSize == full)
        #expect(info.frameCount == 3)
        #expect(info.frameDurations == [.milliseconds(80), .milliseconds(160), .milliseconds(240)])
        #expect(info.loopCount == 3)
        #expect(info.hasAlpha)
    }

    @Test(arguments: 1...8)
    func orientationIsRead(_ orientation: Int) throws {
        let info = try info(of: Fixture("webp-orientation-\(orientation).webp").data)
        #expect(info.orientation.rawValue == orientation)
        #expect(info.storedSize == full)
        #expect(info.size == (orientation < 5 ? full : full.transposed))
    }

    @Test func profileIsRead() throws {
        let profile = try info(of: Fixture("webp-icc.webp").data).iccProfile
        #expect(profile?.count == 132)
    }

    @Test(arguments: [
        ("webp-lossy", false), ("webp-lossless", false), ("webp-lossy-alpha", true), ("webp-lossless-alpha", true),
    ])
    func alphaIsReported(_ name: String, _ hasAlpha: Bool) throws {
        #expect(try info(of: Fixture("\(name).webp").data).hasAlpha == hasAlpha)
    }

    @Test(arguments: [(0, 0.1), (10, 0.1), (11, 0.011), (20, 0.02), (0xFF_FFFF, 16777.215)])
    func tooShortDurationIsATenthOfASecond(_ milliseconds: Int, _ seconds: Double) throws {
        var builder = WebPBuilder(1, 1, flags: 2)
        builder.addLoop(0)
        builder.addFrame("webp-lossless-1x1.webp", PixelSize(1, 1), milliseconds: milliseconds)
        builder.addFrame("webp-lossless-1x1.webp", PixelSize(1, 1), milliseconds: 30)
        let info = try info(of: builder.data)
        #expect(info.frameDurations == [Duration(saturatingSeconds: seconds), .milliseconds(30)])
        #expect(info.loopCount == 0)
    }

    @Test func animationWithOneFrameIsAStill() throws {
        var builder = WebPBuilder(35, 21, flags: 2)
        builder.addLoop(5)
        builder.addFrame("webp-lossy.webp", full)
        let info = try info(of: builder.data)
        #expect(info.frameCount == 1)
        #expect(info.loopCount == 0)
        #expect(info.frameDurations.isEmpty)
    }

    @Test func incompleteFrameDoesNotCount() throws {
        let data = Fixture("webp-animated.webp").data
        #expect(try info(of: data.dropLast()).frameCount == 2)
    }

    @Test func missingOrientationIsIncomplete() throws {
        let data = Fixture("webp-orientation-6.webp").data
        let error = #expect(throws: ImageError.self) { try info(of: data.dropLast()) }
        #expect(error?.kind == .incomplete)
    }

    @Test(
        arguments: [
            // The flags of two frames, the position of the second one, and whether the canvas is ever transparent.
            (0, 0, 0, false), (1, 0, 0, false), (1, 2, 0, true), (2, 2, 0, false), (0, 2, 2, false), (0, 0, 2, false),
        ] as [(UInt8, UInt8, Int, Bool)])
    func opaqueAnimationHasNoAlpha(_ first: UInt8, _ second: UInt8, _ left: Int, _ hasAlpha: Bool) throws {
        var builder = WebPBuilder(35, 21, flags: 2)
        builder.addLoop(0)
        builder.addFrame("webp-lossy.webp", full, flags: first)
        if left > 0 || hasAlpha {
            builder.addFrame("webp-lossy-17x9.webp", PixelSize(17, 9), left: left, flags: second)
        } else {
            builder.addFrame("webp-lossless.webp", full, flags: second)
        }
        #expect(try info(of: builder.data).hasAlpha == hasAlpha)
    }

    @Test func uncoveredCanvasMeansAlpha() throws {
        var builder = WebPBuilder(35, 21, flags: 2)
        builder.addLoop(0)
        builder.addFrame("webp-lossy-17x9.webp", PixelSize(17, 9))
        #expect(try info(of: builder.data).hasAlpha)
    }

    @Test func manyFramesTakeLinearTime() throws {
        var frame = WebPBuilder(1, 1, flags: 2)
        frame.addLoop(0)
        let start = frame.data.count
        frame.addFrame("webp-lossless-1x1.webp", PixelSize(1, 1))
        let bytes = frame.data.dropFirst(start)
        var data = frame.data
        for _ in 0..<50_000 { data.append(bytes) }
        let size = UInt32(data.count - 8)
        for index in 0..<4 { data[4 + index] = UInt8(truncatingIfNeeded: size >> (8 * UInt32(index))) }
        var limits = DecodeLimits()
        limits.frameCount = 50_001
        #expect(try WebPCoder().info(of: InfoRequest(data: data, limits: limits)).frameCount == 50_001)
        let error = #expect(throws: ImageError.self) { try CoderRegistry([WebPCoder()]).decode(data) }
        #expect(error?.kind == .overLimit)
    }
}
