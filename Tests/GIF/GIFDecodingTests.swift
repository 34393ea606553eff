import DarkroomCore
import DarkroomGIF
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite struct GIFDecodingTests {
    private let coder = GIFCoder()

    @Test(arguments: Fixture.all(of: .gif))
    func pixelsEqualThoseOfTheFixture(_ fixture: Fixture) throws {
        let bitmap = try CoderRegistry([coder]).decode(fixture.data).bitmap
        #expect(bitmap == (try fixture.expectedBitmap(hasAlpha: bitmap.hasAlpha)))
    }

    @Test(arguments: Fixture.all(of: .gif))
    func coderContractHolds(_ fixture: Fixture) throws {
        try CoderContract(coder).checkFile(fixture.data)
    }

    @Test(arguments: Fixture.all(of: .gif))
    func everyPrefixIsIncompleteOrAnImage(_ fixture: Fixture) throws {
        let data = fixture.data
        for count in 6..<data.count {
            do {
                _ = try CoderRegistry([coder]).decode(data.prefix(count))
            } catch {
                #expect(error.kind == .incomplete, "\(count) bytes")
            }
        }
    }

    @Test(arguments: ["gif-bomb-size", "gif-bomb-frame"])
    func bombIsRejectedBeforeAnyAllocation(_ name: String) throws {
        let data = Fixture("broken/\(name).gif").data
        let error = #expect(throws: ImageError.self) { try CoderRegistry([coder]).decode(data) }
        #expect(error?.kind == .overLimit)
    }

    @Test func frameFarLargerThanTheScreenIsRejected() throws {
        var data = Fixture("broken/gif-bomb-frame.gif").data
        data[6] = 5
        data[8] = 5
        let error = #expect(throws: ImageError.self) { try CoderRegistry([coder]).decode(data) }
        #expect(error?.kind == .overLimit)
    }

    @Test(arguments: [
        ("bad-code-size", ImageError.Kind.corrupt), ("bad-lzw", .corrupt), ("garbage", .corrupt),
        ("no-frame", .corrupt),
        ("zero-size", .corrupt), ("truncated-header", .incomplete), ("truncated-palette", .incomplete),
    ])
    func brokenFileIsAnError(_ name: String, _ kind: ImageError.Kind) throws {
        let data = Fixture("broken/gif-\(name).gif").data
        let error = #expect(throws: ImageError.self) { try CoderRegistry([coder]).decode(data) }
        #expect(error?.kind == kind)
    }

    @Test func emptyDataIsCorrupt() throws {
        let error = #expect(throws: ImageError.self) { try CoderRegistry([coder]).decode(Data()) }
        #expect(error?.kind == .corrupt)
    }

    @Test func sliceOfDataIsDecoded() throws {
        let fixture = Fixture("gif-89a.gif")
        let slice = (Data([1, 2, 3]) + fixture.data + Data([4])).dropFirst(3).dropLast()
        let bitmap = try CoderRegistry([coder]).decode(slice).bitmap
        #expect(bitmap == (try fixture.expectedBitmap(hasAlpha: bitmap.hasAlpha)))
    }

    @Test func anyByteMayBeCorrupt() throws {
        let original = Fixture("gif-animated-partial.gif").data
        var context = ImageContext()
        context.limits.pixelCount = 10_000
        for index in original.indices {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                var data = original
                data[index] ^= mask
                // The registry throws only `ImageError`.
                do { _ = try CoderRegistry([coder]).decode(data, context: context) } catch {
                    #expect(error.kind != .internal)
                }
            }
        }
    }

    @Test func indexBeyondThePaletteIsBlack() throws {
        let data = GIFBuilder(palette: [.white, .white]).frame(indices: [0, 1, 2, 3], width: 4).data
        let bitmap = try CoderRegistry([coder]).decode(data).bitmap
        #expect(bitmap.bytes == [UInt8](repeating: 255, count: 8) + [0, 0, 0, 255, 0, 0, 0, 255])
    }
}
