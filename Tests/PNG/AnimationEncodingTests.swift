import DarkroomCore
import DarkroomPNG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct AnimationEncodingTests {
    private let registry = CoderRegistry([PNGCoder()])

    @Test(arguments: 0..<12, [false, true])
    func framesRoundTrip(_ seed: UInt64, _ hasAlpha: Bool) throws {
        let frames = Self.frames(seed, hasAlpha: hasAlpha)
        let image = try #require(Image(frames: frames, loopCount: Int(seed)))
        let data = try registry.encode(image, as: .png)
        #expect(try registry.encode(image, as: .png) == data)
        let decoded = try registry.decode(data)
        #expect(decoded.info.loopCount == Int(seed))
        #expect(decoded.info.frameDurations == frames.map(\.duration))
        #expect(try decoded.animation?.frames().map(\.bitmap) == frames.map(\.bitmap))
    }

    @Test func onlyChangedPixelsAreWritten() throws {
        let still = Bitmap(60, 40) { x, y in Color(red: UInt8(4 * x), green: UInt8(5 * y), blue: 0) }
        let changed = Bitmap(60, 40) { x, y in
            let isChanged = (20..<23).contains(x) && (30..<32).contains(y)
            return isChanged ? .white : Color(red: UInt8(4 * x), green: UInt8(5 * y), blue: 0)
        }
        let image = try #require(
            Image(frames: [still, changed, changed].map { Frame($0, duration: .milliseconds(100)) }))
        let data = try registry.encode(image, as: .png)
        let areas = data.ranges(of: Data("fcTL".utf8)).map { name in
            (0..<4).map { index in
                let start = name.upperBound + 4 + 4 * index
                return data[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            }
        }
        #expect(areas == [[60, 40, 0, 0], [3, 2, 20, 30], [1, 1, 0, 0]])
    }

    @Test(arguments: [false, true])
    func alphaOfALaterFrameIsPreserved(_ isColorful: Bool) throws {
        func bitmap(_ index: Int) -> Bitmap {
            Bitmap(30, 20, hasAlpha: index == 2) { x, y in
                Color(
                    red: isColorful ? UInt8(x * 8) : 0, green: isColorful ? UInt8(y * 12) : 1, blue: UInt8(index),
                    alpha: index == 2 && x < 9 ? 77 : 255)
            }
        }
        let frames = (0..<4).map { Frame(bitmap($0), duration: .milliseconds(200)) }
        let image = try #require(Image(frames: frames))
        let decoded = try registry.decode(registry.encode(image, as: .png)).animation?.frames()
        #expect(decoded?.map(\.bitmap.bytes) == frames.map(\.bitmap.bytes))
        #expect(decoded?.allSatisfy(\.bitmap.hasAlpha) == true)
    }

    @Test(arguments: [0.011, 0.04, 0.1, 1.0 / 3, 1.0 / 30, 1001.0 / 30_000, 2.345, 59.999, 600, 65_535])
    func representableDurationsRoundTrip(_ duration: Double) throws {
        let bitmap = Bitmap(1, 1) { _, _ in .white }
        let image = try #require(
            Image(frames: [Frame(bitmap, duration: .seconds(duration)), Frame(bitmap, duration: .seconds(1))]))
        let decoded = try registry.decode(registry.encode(image, as: .png))
        let differences = zip(decoded.info.frameDurations, [duration, 1]).map { abs($0 / .seconds(1) - $1) }
        #expect(differences.count == 2 && differences.allSatisfy { $0 < 1e-12 })
    }

    @Test(arguments: [1e-9, Double.pi, 123.456789])
    func otherDurationsAreApproximated(_ duration: Double) throws {
        let bitmap = Bitmap(1, 1) { _, _ in .white }
        let image = try #require(
            Image(frames: [Frame(bitmap, duration: .seconds(duration)), Frame(bitmap, duration: .seconds(1))]))
        let written =
            try #require(try registry.decode(registry.encode(image, as: .png)).info.frameDurations.first) / .seconds(1)
        let wanted = duration < 0.011 ? 0.1 : duration
        #expect(abs(written - wanted) < 1e-3)
    }

    @Test func framesOfDifferentSizesAreRejected() throws {
        let frames = [3, 4].map { Frame(Bitmap($0, 3) { _, _ in .white }, duration: .seconds(1)) }
        let image = try #require(Image(frames: frames))
        let error = #expect(throws: ImageError.self) { try registry.encode(image, as: .png) }
        #expect(error?.kind == .unsupported)
    }

    @Test func profileIsWrittenOnce() throws {
        var image = try #require(Image(frames: Self.frames(1, hasAlpha: false)))
        image.metadata.iccProfile = try .profile()
        let data = try registry.encode(image, as: .png)
        #expect(data.ranges(of: Data("iCCP".utf8)).count == 1)
        #expect(try PNGCoder().info(of: data).iccProfile == image.metadata.iccProfile)
    }

    private static func frames(_ seed: UInt64, hasAlpha: Bool) -> [Frame] {
        var random = SeededGenerator(seed: seed)
        // Few colours, grey, or many.
        let mask: UInt8 = [0xC0, 0xFE, 0xFF][Int(seed % 3)]
        return (0..<4).map { _ in
            let bitmap = Bitmap(20, 15, hasAlpha: hasAlpha) { _, _ in
                let value = UInt8.random(in: 0...255, using: &random) & mask
                let other = mask == 0xFE ? value : UInt8.random(in: 0...255, using: &random) & mask
                let alpha = hasAlpha ? UInt8.random(in: 0...255, using: &random) & mask : 255
                return Color(red: value, green: other, blue: mask == 0xFE ? value : 0, alpha: alpha)
            }
            return Frame(bitmap, duration: .milliseconds(Int.random(in: 11...3000, using: &random)))
        }
    }
}
