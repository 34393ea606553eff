import DarkroomCore
import DarkroomTestKit
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

@Suite struct WebPDecodingTests {
    private let coder = WebPCoder()
    private let registry = CoderRegistry([WebPCoder()])

    @Test(arguments: Fixture.all(of: .webp))
    func pixelsEqualThoseOfTheFixture(_ fixture: Fixture) throws {
        let bitmap = try registry.decode(fixture.data).bitmap
        #expect(bitmap == (try fixture.expectedBitmap(hasAlpha: bitmap.hasAlpha)))
    }

    @Test(arguments: Fixture.all(of: .webp))
    func coderContractHolds(_ fixture: Fixture) throws {
        try CoderContract(coder).checkFile(fixture.data)
    }

    @Test(arguments: Fixture.all(of: .webp))
    func everyPrefixIsIncompleteOrAnImage(_ fixture: Fixture) throws {
        let data = fixture.data
        for count in 12..<data.count {
            do { _ = try registry.decode(data.prefix(count)) } catch {
                #expect(error.kind == .incomplete, "\(count) bytes")
            }
        }
    }

    @Test(arguments: ["webp-bomb-size", "webp-bomb-canvas"])
    func bombIsRejectedBeforeAnyAllocation(_ name: String) throws {
        let data = Fixture("broken/\(name).webp").data
        let error = #expect(throws: ImageError.self) { try registry.decode(data) }
        #expect(error?.kind == .overLimit)
    }

    @Test(arguments: [("webp-lossless", 8), ("webp-lossy", 4), ("webp-lossy-alpha", 9)])
    func memoryOfLibwebpCountsTowardsTheLimit(_ name: String, _ bytesPerPixel: Int) throws {
        let data = Fixture("\(name).webp").data
        var context = ImageContext()
        context.limits.decodedByteCount = 35 * 21 * bytesPerPixel
        _ = try registry.decode(data, context: context)
        context.limits.decodedByteCount -= 1
        let error = #expect(throws: ImageError.self) { try registry.decode(data, context: context) }
        #expect(error?.kind == .overLimit)
    }

    @Test(arguments: [
        ("bad-canvas", ImageError.Kind.corrupt), ("bad-chunk", .corrupt), ("bad-riff-size", .corrupt),
        ("bad-start-code", .corrupt), ("garbage", .corrupt), ("no-frame", .corrupt), ("zero-size", .corrupt),
        ("truncated", .incomplete), ("truncated-header", .incomplete),
        ("truncated-lossless", .incomplete),
    ])
    func brokenFileIsAnError(_ name: String, _ kind: ImageError.Kind) throws {
        let data = Fixture("broken/webp-\(name).webp").data
        let error = #expect(throws: ImageError.self) { try registry.decode(data) }
        #expect(error?.kind == kind)
    }

    @Test func emptyDataIsCorrupt() throws {
        let error = #expect(throws: ImageError.self) { try registry.decode(Data()) }
        #expect(error?.kind == .corrupt)
    }

    @Test func sliceOfDataIsDecoded() throws {
        let fixture = Fixture("webp-animated.webp")
        let slice = (Data([1, 2, 3]) + fixture.data + Data([4])).dropFirst(3).dropLast()
        let bitmap = try registry.decode(slice).bitmap
        #expect(bitmap == (try fixture.expectedBitmap(hasAlpha: true)))
    }

    @Test(arguments: ["webp-lossless-alpha", "webp-lossy-alpha", "webp-animated", "webp-orientation-6"])
    func anyByteMayBeCorrupt(_ name: String) throws {
        let original = Fixture("\(name).webp").data
        var context = ImageContext()
        context.limits.pixelCount = 10_000
        for index in original.indices {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                var data = original
                data[index] ^= mask
                // The registry throws only `ImageError`.
                do { _ = try registry.decode(data, context: context) } catch { #expect(error.kind != .internal) }
            }
        }
    }

    @Test func alphaDeniedByTheHeaderIsIgnored() throws {
        var data = Fixture("webp-lossless-alpha.webp").data
        // Bit 28 after the signature of the lossless pixels.
        data[24] &= 0xEF
        let bitmap = try registry.decode(data).bitmap
        #expect(!bitmap.hasAlpha)
        #expect(stride(from: 3, to: bitmap.byteCount, by: 4).allSatisfy { bitmap.bytes[$0] == 255 })
    }

    @Test func frameOutsideTheCanvasBecauseOfItsSizeIsRejected() throws {
        var builder = WebPBuilder(35, 21, flags: 2)
        builder.addLoop(0)
        builder.addFrame("webp-lossy-17x9.webp", PixelSize(16, 9))
        let error = #expect(throws: ImageError.self) { try registry.decode(builder.data) }
        #expect(error?.kind == .corrupt)
    }

    @Test func frameBeyondTheCanvasIsRejected() throws {
        var builder = WebPBuilder(35, 21, flags: 2)
        builder.addLoop(0)
        builder.addFrame("webp-lossy-17x9.webp", PixelSize(17, 9), left: 20)
        let error = #expect(throws: ImageError.self) { try registry.decode(builder.data) }
        #expect(error?.kind == .corrupt)
    }
}
