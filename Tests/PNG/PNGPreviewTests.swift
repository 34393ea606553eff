import DarkroomCore
import DarkroomPNG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct PNGPreviewTests {
    private static let sizes = [PixelSize(35, 21), PixelSize(9, 5)]

    @Test(arguments: Fixture.all(of: .png), [1, 7, 64, .max])
    func finishedImageEqualsThePlainDecode(_ fixture: Fixture, _ byteCount: Int) throws {
        for target in Self.sizes {
            let plain = try PNGCoder().decode(request(fixture.data, target))
            #expect(try previews(fixture.data, target, byteCount: byteCount).last == plain)
        }
    }

    @Test(arguments: ["png-rgb-8.png", "png-rgba-8.png", "png-palette-4-trns.png", "png-gray-16.png"])
    func arrivedRowsAreCorrectAndTheOthersTransparent(_ name: String) throws {
        let data = Fixture(name).data
        let whole = try PNGCoder().decode(request(data, nil))
        let previews = try previews(data, nil, byteCount: 1)
        #expect(previews.count > 5)
        let (bytes, rowByteCount) = (whole.bytes, whole.size.width * 4)
        var last = 0
        for preview in previews.dropLast() where preview != whole {
            #expect(preview.size == whole.size && preview.hasAlpha)
            let shown = preview.bytes
            let rows = stride(from: 0, to: bytes.count, by: rowByteCount).map { $0..<($0 + rowByteCount) }
            let count = rows.prefix { shown[$0] == bytes[$0] }.count
            #expect(shown.dropFirst(count * rowByteCount).allSatisfy { $0 == 0 })
            #expect(count > last)
            last = count
        }
    }

    @Test(arguments: ["png-adam7-rgb-8.png", "png-adam7-rgba-8.png"])
    func interlacedImageIsCompleteAtOnceAndSharpensWithEachPass(_ name: String) throws {
        let data = Fixture(name).data
        let whole = try PNGCoder().decode(request(data, nil))
        let previews = try previews(data, nil, byteCount: 1)
        #expect(previews.count == 8)
        let distances = previews.map { preview in
            zip(preview.bytes, whole.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        #expect(distances == distances.sorted(by: >) && distances.last == 0)
    }

    @Test func smallPreviewsAreResizedAsRowsArrive() throws {
        let data = Fixture("png-rgb-8.png").data
        let previews = try previews(data, PixelSize(9, 5), byteCount: 1)
        #expect(previews.count > 2)
        #expect(previews.allSatisfy { $0.size == PixelSize(9, 5) })
        // A preview already returned does not change when more rows arrive.
        #expect(previews[1].bytes.suffix(4 * 9).allSatisfy { $0 == 0 })
    }

    @Test(arguments: ["png-rgb-8.png", "png-adam7-rgb-8.png"])
    func truncatedFileGivesTheResultOfThePlainDecode(_ name: String) throws {
        let data = Fixture(name).data
        for count in stride(from: 60, to: data.count, by: 9) {
            let prefix = Data(data.prefix(count))
            let plain = Result { try PNGCoder().decode(request(prefix, nil)) }
            var decoder = try PNGCoder().makePreviewDecoder(request(prefix, nil))
            _ = try decoder.append(prefix)
            let finished = Result { try decoder.finish() }
            #expect((try? finished.get()) == (try? plain.get()))
            if case .failure(let error as ImageError) = finished { #expect(error.kind == .incomplete) }
        }
    }

    @Test(arguments: ["png-palette-4-trns.png", "png-adam7-3x5.png"])
    func corruptByteGivesTheResultOfThePlainDecode(_ name: String) throws {
        let data = Fixture(name).data
        let request = try request(data, nil)
        for index in data.indices {
            var changed = data
            changed[index] ^= 0xFF
            guard let info = try? PNGCoder().info(of: changed), info.storedSize == request.info.storedSize else {
                continue
            }
            let plain = try? PNGCoder().decode(DecodeRequest(data: changed, info: info))
            var decoder = try PNGCoder().makePreviewDecoder(DecodeRequest(data: changed, info: info))
            for part in changed.parts(changed.count / 3) { _ = try decoder.append(part) }
            #expect((try? decoder.finish()) == plain, "byte \(index)")
        }
    }

    @Test func missingEndOfPixelsIsNotedAsInThePlainDecode() throws {
        var builder = AnimatedPNGBuilder(canvas: PixelSize(3, 3), frames: [])
        builder.picture = Bitmap(3, 3) { _, _ in .white }
        builder.chunkByteCount = 46
        var chunks = builder.chunks
        // All rows are there, but the zlib checksum after them is missing.
        chunks.remove(at: 3)
        let data = chunks.reduce(builder.data.prefix(8), +)
        let plain = try request(data, nil)
        #expect(try PNGCoder().decode(plain).color(x: 2, y: 2) == .white)
        let previewed = try request(data, nil)
        var decoder = try PNGCoder().makePreviewDecoder(previewed)
        _ = try decoder.append(data)
        #expect(try decoder.finish().color(x: 2, y: 2) == .white)
        #expect(plain.notes.count == 1 && previewed.notes == plain.notes)
    }

    @Test func imageThatCannotBeHeldTwiceHasNoPreviews() throws {
        let data = Fixture("png-rgb-8.png").data
        let context = ImageContext { $0.limits.decodedByteCount = 35 * 21 * 4 + 35 * 16 }
        var decoder = try PNGCoder().makePreviewDecoder(
            DecodeRequest(data: data, info: PNGCoder().info(of: data), context: context))
        #expect(try decoder.append(data) == nil)
        #expect(try decoder.finish() == PNGCoder().decode(request(data, nil)))
    }

    @Test(arguments: ["png-rgb-8.png", "png-adam7-rgb-8.png"])
    func cancelledPreviewStops(_ name: String) throws {
        let data = Fixture(name).data
        let flag = CancellationFlag()
        var decoder = try PNGCoder().makePreviewDecoder(
            DecodeRequest(data: data, info: PNGCoder().info(of: data), cancellation: flag))
        _ = try decoder.append(Data(data.prefix(data.count / 2)))
        flag.set()
        let error = #expect(throws: ImageError.self) { try decoder.append(Data(data.dropFirst(data.count / 2))) }
        #expect(error?.kind == .cancelled)
    }

    @Test(arguments: 0..<20, [1, 33])
    func previewsOfAnAnimationShowItsFirstFrame(_ seed: UInt64, _ byteCount: Int) throws {
        var random = SeededGenerator(seed: seed)
        let builder = AnimatedPNGBuilder.random(&random, hasAlpha: seed % 2 == 0)
        let info = try PNGCoder().info(of: builder.data)
        let plain = try PNGCoder().decode(request(builder.data, nil))
        let start = try start(of: builder.data)
        var decoder = try PNGCoder().makePreviewDecoder(request(start, nil))
        var counts: [Int] = []
        for part in builder.data.parts(byteCount) {
            if let preview = try decoder.append(part) { #expect(preview.size == plain.size) }
            counts.append(decoder.frameDurations.count)
            #expect(decoder.frameDurations == Array(info.frameDurations.prefix(counts.last ?? 0)))
        }
        #expect(counts == counts.sorted() && counts.last == info.frameCount)
        #expect(try decoder.finish() == plain)
    }

    /// Returns all previews, followed by the finished image.
    private func previews(_ data: Data, _ target: PixelSize?, byteCount: Int) throws -> [Bitmap] {
        var decoder = try PNGCoder().makePreviewDecoder(request(start(of: data), target))
        let previews = try data.parts(byteCount).compactMap { try decoder.append($0) }
        return try previews + [decoder.finish()]
    }

    /// Returns the shortest prefix with a complete header.
    private func start(of data: Data) throws -> Data {
        Data(data.prefix(try #require(data.firstRange(of: Data("IDAT".utf8))).upperBound))
    }

    private func request(_ data: Data, _ target: PixelSize?) throws -> DecodeRequest {
        DecodeRequest(data: data, info: try PNGCoder().info(of: data), target: target)
    }
}

extension Data {
    /// Splits the data into parts of `byteCount` bytes.
    fileprivate func parts(_ byteCount: Int) -> [Data] {
        stride(from: 0, to: count, by: Swift.min(byteCount, count)).map {
            self[(startIndex + $0)..<(startIndex + Swift.min($0 + Swift.min(byteCount, count), count))]
        }
    }
}
