import DarkroomCore
import DarkroomTestKit
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

@Suite struct WebPPreviewTests {
    private let coder = WebPCoder()

    /// Returns the previews of a load in chunks, beginning with the complete header, and the finished image.
    private func load(
        _ data: Data, by count: Int, target: PixelSize? = nil, context: ImageContext = .init()
    ) throws -> (previews: [Bitmap], whole: Bitmap) {
        var end = min(count, data.count)
        while end < data.count, (try? coder.info(of: data.prefix(end))) == nil { end = min(end + count, data.count) }
        var decoder = try self.decoder(of: data.prefix(end), target: target, context)
        var previews = try [decoder.append(data.prefix(end))]
        while end < data.count {
            let next = min(end + count, data.count)
            previews.append(try decoder.append(Data(data[end..<next])))
            end = next
        }
        return (previews.compactMap { $0 }, try decoder.finish())
    }

    private func decoder(
        of data: Data, target: PixelSize? = nil, _ context: ImageContext = .init(), _ flag: CancellationFlag? = nil
    ) throws -> any PreviewDecoder {
        try coder.makePreviewDecoder(
            DecodeRequest(data: data, info: coder.info(of: data), target: target, context: context, cancellation: flag))
    }

    private func plain(_ data: Data, target: PixelSize? = nil) throws -> Bitmap {
        try coder.decode(DecodeRequest(data: data, info: coder.info(of: data), target: target))
    }

    /// Draws a detailed image, so that its rows arrive one after the other.
    private func noise(lossless: Bool, hasAlpha: Bool = false) throws -> Data {
        var random = SeededGenerator(seed: 1)
        let bitmap = Bitmap(40, 160, hasAlpha: hasAlpha) { x, y in
            Color(
                red: .random(in: 0...255, using: &random), green: UInt8(x), blue: UInt8(y),
                alpha: hasAlpha ? UInt8(100 + y % 100) : 255)
        }
        let image = Image(info: ImageInfo(format: .webp, storedSize: bitmap.size), bitmap: bitmap)
        return try CoderRegistry([coder]).encode(
            image, as: .webp, context: ImageContext { $0.writesLosslessWebP = lossless })
    }

    @Test(arguments: Fixture.all(of: .webp), [1, 2, 13, 100, 10_000])
    func piecesDoNotChangeTheImage(_ fixture: Fixture, _ count: Int) throws {
        for target in [nil, PixelSize(5, 4)] {
            let plain = try plain(fixture.data, target: target)
            let (previews, whole) = try load(fixture.data, by: count, target: target)
            #expect(whole == plain)
            #expect(previews.allSatisfy { $0.size == plain.size })
        }
    }

    @Test(arguments: [true, false], [true, false])
    func rowsArriveFromTheTop(_ lossless: Bool, _ hasAlpha: Bool) throws {
        let data = try noise(lossless: lossless, hasAlpha: hasAlpha)
        for target in [nil, PixelSize(10, 40)] {
            let (previews, whole) = try load(data, by: 50, target: target)
            #expect(whole == (try plain(data, target: target)))
            #expect(previews.count >= 3)
            let (expected, width) = (whole.bytes, whole.size.width * 4)
            var last = 0
            for preview in previews {
                let bytes = preview.bytes
                let rows = (0..<whole.size.height).filter { y in
                    bytes[(y * width)..<((y + 1) * width)].contains { $0 > 0 }
                }
                #expect(rows == Array(0..<rows.count) && rows.count > last && rows.count < whole.size.height)
                #expect(bytes.prefix(rows.count * width) == expected.prefix(rows.count * width))
                #expect(preview.hasAlpha)
                last = rows.count
            }
        }
    }

    @Test func previewsAreFew() throws {
        let (previews, _) = try load(noise(lossless: false), by: 1)
        #expect((5...17).contains(previews.count))
    }

    @Test(.bug(id: "16.21"))
    func largeImageGrowsInEightSteps() throws {
        let bitmap = Bitmap(1200, 1000) { x, y in
            Color(red: UInt8((x &* 7 ^ y &* 13) & 255), green: UInt8(x / 5), blue: UInt8(y / 4))
        }
        let image = Image(info: ImageInfo(format: .webp, storedSize: bitmap.size), bitmap: bitmap)
        let data = try CoderRegistry([coder]).encode(
            image, as: .webp, context: ImageContext { $0.webPMethod = 0 })
        #expect((7...9).contains(try load(data, by: 1000).previews.count))
    }

    @Test func thereAreNoPreviewsIfMemoryIsLimited() throws {
        let data = try noise(lossless: false)
        let context = ImageContext { $0.limits.decodedByteCount = 40 * 160 * 4 }
        let (previews, whole) = try load(data, by: 50, context: context)
        #expect(previews.isEmpty)
        #expect(whole == (try plain(data)))
    }

    @Test func firstFrameOfAnAnimationIsPreviewedOnce() throws {
        let data = Fixture("webp-animated.webp").data
        let (previews, whole) = try load(data, by: 1)
        #expect(previews == [whole])
        #expect(whole == (try plain(data)))
    }

    @Test func framesAreCountedAsTheyArrive() throws {
        let data = Fixture("webp-animated.webp").data
        var counts: [Int] = []
        let start = try #require(data.indices.first { (try? coder.info(of: data.prefix($0))) != nil })
        var decoder = try decoder(of: data.prefix(start))
        _ = try decoder.append(data.prefix(start))
        for end in start..<data.count {
            _ = try decoder.append(data[end...end])
            let known = try coder.info(of: data.prefix(end + 1)).frameDurations
            #expect(decoder.frameDurations == known)
            counts.append(known.count)
        }
        #expect(Set(counts) == [0, 2, 3])
    }

    @Test(arguments: ["webp-lossy", "webp-animated"])
    func headerMayBeASliceOfOtherData(_ name: String) throws {
        let data = Fixture("\(name).webp").data
        let slice = (Data([1, 2, 3]) + data).dropFirst(3)
        var decoder = try decoder(of: slice)
        _ = try decoder.append(slice)
        #expect(try decoder.finish() == plain(data))
        #expect(try decoder.frameDurations == coder.info(of: data).frameDurations)
    }

    @Test func laterFrameMayIntroduceAlpha() throws {
        var builder = WebPBuilder(35, 21, flags: 2)
        builder.addLoop(0)
        builder.addFrame("webp-lossy.webp", PixelSize(35, 21))
        builder.addFrame("webp-lossy-17x9.webp", PixelSize(17, 9), flags: 1)
        builder.addFrame("webp-lossless-17x9.webp", PixelSize(17, 9), left: 18, top: 12)
        let (previews, whole) = try load(builder.data, by: 10)
        #expect(previews.map(\.hasAlpha) == [false])
        #expect(whole == (try plain(builder.data)) && whole.hasAlpha)
    }

    @Test(arguments: ["webp-lossy", "webp-lossless", "webp-lossy-alpha", "webp-icc"])
    func truncatedFileIsIncomplete(_ name: String) throws {
        let data = Fixture("\(name).webp").data.dropLast(2)
        let error = #expect(throws: ImageError.self) { try load(data, by: 7) }
        #expect(error?.kind == .incomplete)
    }

    @Test(arguments: ["webp-lossy", "webp-lossless-alpha", "webp-lossy-alpha", "webp-animated"])
    func anyByteMayBeCorrupt(_ name: String) throws {
        let original = Fixture("\(name).webp").data
        for index in original.indices {
            var data = original
            data[index] ^= 0xFF
            var context = ImageContext()
            context.limits.decodedByteCount = 1 << 20
            do {
                let whole = try load(data, by: 100, context: context).whole
                #expect(whole == (try plain(data)), "byte \(index)")
            } catch {
                #expect(error is ImageError)
            }
        }
    }

    @Test(arguments: ["webp-lossy", "webp-animated"])
    func cancelledPreviewStops(_ name: String) throws {
        let data = Fixture("\(name).webp").data
        let flag = CancellationFlag()
        var decoder = try decoder(of: data, flag)
        flag.set()
        let error = #expect(throws: ImageError.self) { try decoder.append(data) }
        #expect(error?.kind == .cancelled)
    }

    private func decoder(of data: Data, _ flag: CancellationFlag) throws -> any PreviewDecoder {
        try decoder(of: data, target: nil, .init(), flag)
    }
}
