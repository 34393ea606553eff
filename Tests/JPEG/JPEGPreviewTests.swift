import DarkroomCore
@testable import DarkroomJPEG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct JPEGPreviewTests {
    private let coder = JPEGCoder()

    @Test(arguments: Fixture.all(of: .jpeg), [1, 2, 57, 100_000])
    func finishedImageEqualsThePlainDecode(_ fixture: Fixture, _ step: Int) throws {
        for target in [nil, PixelSize(2, 1), PixelSize(9, 5), PixelSize(34, 21)] {
            let fed = try feed(fixture.data, in: step, target: target)
            #expect(try fed.whole == decode(fixture.data, target: target))
        }
    }

    @Test(
        arguments: ["jpeg-420.jpg", "jpeg-restart.jpg", "jpeg-ycck.jpg", "jpeg-progressive-420.jpg"],
        [nil, PixelSize(2, 1)])
    func truncatedFileGivesTheResultOfThePlainDecode(_ name: String, _ target: PixelSize?) throws {
        let data = Fixture(name).data
        let scan = try #require(data.firstRange(of: Data([0xFF, 0xDA]))).upperBound
        for count in scan..<data.count { try expectSame(Data(data.prefix(count)), in: 11, target: target) }
    }

    @Test(
        arguments: ["jpeg-420.jpg", "jpeg-restart.jpg", "jpeg-cmyk.jpg", "jpeg-progressive-444.jpg"],
        [UInt64(1), 2, 3])
    func damagedFileGivesTheResultOfThePlainDecode(_ name: String, _ seed: UInt64) throws {
        let whole = Fixture(name).data
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            var data = whole
            for _ in 0..<3 {
                data[Int.random(in: 2..<data.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let step = Int.random(in: 1...200, using: &random)
            try expectSame(data, in: step, target: Bool.random(using: &random) ? nil : PixelSize(3, 2))
        }
    }

    /// libjpeg-turbo decodes fill bytes before a stuffed zero in two ways, depending on the number of available bytes.
    @Test func unusualFillBytesGiveTheResultOfThePlainDecode() throws {
        let whole = try Self.wavesFile()
        let scan = try #require(whole.firstRange(of: Data([0xFF, 0xDA]))).upperBound
        let places = (scan..<(whole.count - 3000)).filter { whole[$0] == 0xFF && whole[$0 + 1] == 0 }
        #expect(places.count >= 5)
        for place in places.prefix(12) {
            var data = whole
            data[place - 1] = 0xFF
            try expectSame(data, in: 3, target: nil)
        }
    }

    @Test(arguments: [1, 2, 57])
    func scansThatDoNotAffectASmallImageAreSkipped(_ step: Int) throws {
        let bitmap = Bitmap.testCard(64, 48)
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        let data = try CoderRegistry([coder]).encode(
            image, as: .jpeg, context: ImageContext { $0.writesProgressiveJPEG = true })
        let scan = try #require(data.lastRange(of: Data([0xFF, 0xDA]))).upperBound
        let damaged = data[..<(scan + 8)] + Data(repeating: 0, count: data.count - scan - 10) + data.suffix(2)
        let (whole, previews) = try feed(damaged, in: step, target: PixelSize(2, 1))
        #expect(try whole == decode(data, target: PixelSize(2, 1)))
        #expect(previews.last == whole)
    }

    @Test(arguments: [nil, PixelSize(20, 50)])
    func rowsArePreviewedFromTheTopAsTheyArrive(_ target: PixelSize?) throws {
        let data = try Self.wavesFile()
        let (whole, previews) = try feed(data, in: 50, target: target)
        #expect(previews.count >= (target == nil ? 3 : 5) && previews.last == whole)
        var rowCounts: [Int] = []
        for preview in previews.dropLast() {
            let rowCount = try #require((0..<whole.size.height).first { preview.color(x: 0, y: $0)?.alpha == 0 })
            let byteCount = rowCount * whole.size.width * 4
            #expect(preview.size == whole.size && preview.hasAlpha)
            #expect(preview.bytes[..<byteCount] == whole.bytes[..<byteCount])
            #expect(preview.bytes[byteCount...].allSatisfy { $0 == 0 })
            rowCounts.append(rowCount)
        }
        #expect(rowCounts == Set(rowCounts).sorted())
    }

    @Test(arguments: ["420", "422", "440", "444", "gray"], [nil, PixelSize(9, 5), PixelSize(2, 1)])
    func scansArePreviewedCompletelyAndGetSharper(_ sort: String, _ target: PixelSize?) throws {
        let (whole, previews) = try feed(Fixture("jpeg-progressive-\(sort).jpg").data, in: 8, target: target)
        #expect(previews.count >= 2 && previews.last == whole)
        #expect(previews.allSatisfy { $0.size == whole.size && !$0.hasAlpha })
        // Previews at smaller sizes are rough; only the complete image is resampled.
        guard target == nil else { return }
        let distances = previews.map { zip($0.bytes, whole.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } }
        #expect(distances.first! > 0 && distances.last == 0)
        // A single scan may make a small image worse.
        #expect(distances[distances.count - 2] < distances[0] / 2 || distances.count == 2)
    }

    @Test func tinyPartsGiveNoFurtherPreviews() throws {
        let data = try Self.wavesFile()
        #expect(try feed(data, in: 1, target: nil).previews.count <= 17)
        #expect(try feed(Fixture("jpeg-progressive-420.jpg").data, in: 1, target: nil).previews.count <= 10)
    }

    @Test(.bug(id: "16.21"), arguments: [nil, PixelSize(100, 75)])
    func everyScanIsPreviewed(_ target: PixelSize?) throws {
        let data = try Self.photograph(PixelSize(400, 300), isProgressive: true)
        let (whole, previews) = try feed(data, in: 20, target: target)
        #expect(Self.scanCount(of: data) == 10)
        // A few bytes may complete two scans.
        #expect((8...10).contains(previews.count) && previews.last == whole)
        #expect(Set(previews.map(\.bytes)).count >= 7)
    }

    @Test(.bug(id: "16.21"))
    func largeImageHasFewerPreviewsOfScans() throws {
        let data = try Self.photograph(PixelSize(1600, 1450), isProgressive: true)
        let (whole, previews) = try feed(data, in: 1000, target: nil)
        // A pass over this many pixels costs as much as reading 39 KB.
        #expect((3...min(10, data.count / 39_000 + 2)).contains(previews.count), "of \(data.count) bytes")
        #expect(previews.last == whole)
    }

    @Test func manyScansHaveAFewPreviews() {
        var pacing = JPEGScanPacing(pixelCount: 1000)
        #expect((1...64).count { pacing.take(byteCount: 1000 * $0) } == 12)
        // A pass over 12 megapixels costs as much as reading 360 KB.
        var slow = JPEGScanPacing(pixelCount: 12 << 20)
        #expect((1...10).filter { slow.take(byteCount: 200_000 * $0) } == [1, 3, 5, 7, 9])
        var huge = JPEGScanPacing(pixelCount: 100 << 20)
        #expect((1...64).count { huge.take(byteCount: 10_000_000 * $0) } == 2)
    }

    @Test(.bug(id: "16.21"))
    func largeImageGrowsInEightSteps() throws {
        let data = try Self.photograph(PixelSize(1200, 1000))
        let (whole, previews) = try feed(data, in: 500, target: nil)
        #expect((8...9).contains(previews.count) && previews.last == whole)
    }

    @Test func thereIsNoPreviewBeforeTheFirstRow() throws {
        let data = try Self.wavesFile()
        let scan = try #require(data.firstRange(of: Data([0xFF, 0xDA]))).upperBound
        var decoder = try coder.makePreviewDecoder(request(data))
        #expect(try decoder.append(data.prefix(scan + 10)) == nil && decoder.frameDurations.isEmpty)
    }

    @Test(arguments: [nil, PixelSize(2, 1)])
    func scanBombIsRejectedBeforeItsEnd(_ target: PixelSize?) throws {
        let data = Fixture("broken/jpeg-bomb-scans.jpg").data
        var decoder = try coder.makePreviewDecoder(request(data, target: target))
        let error = #expect(throws: ImageError.self) { _ = try decoder.append(data.dropLast(10)) }
        #expect(error?.kind == .overLimit && error?.message.contains("scanCount") == true)
        #expect(throws: ImageError.self) { _ = try decoder.append(data.suffix(10)) ?? decoder.finish() }
    }

    @Test(arguments: ["jpeg-420.jpg", "jpeg-progressive-420.jpg"])
    func cancelledPreviewStops(_ name: String) throws {
        let (data, flag) = (Fixture(name).data, CancellationFlag())
        var decoder = try coder.makePreviewDecoder(request(data, cancellation: flag))
        _ = try decoder.append(data.prefix(300))
        flag.set()
        let error = #expect(throws: ImageError.self) { _ = try decoder.append(data.dropFirst(300)) }
        #expect(error?.kind == .cancelled)
        #expect(throws: ImageError.self) { _ = try decoder.finish() }
    }

    @Test func imageBeyondTheLimitsIsRejected() throws {
        let data = Fixture("jpeg-progressive-420.jpg").data
        let context = ImageContext { $0.limits.decodedByteCount = 35 * 21 * 4 + 36 * 128 - 1 }
        var decoder = try coder.makePreviewDecoder(request(data, context: context))
        let error = #expect(throws: ImageError.self) { _ = try decoder.append(data) }
        #expect(error?.kind == .overLimit)
    }

    @Test func memoryLimitForOneImageAllowsNoPreview() throws {
        let data = try Self.wavesFile()
        let context = ImageContext { $0.limits.decodedByteCount = 60 * 200 * 4 }
        let (whole, previews) = try feed(data, in: 50, target: nil, context: context)
        #expect(try previews == [whole] && whole == decode(data, target: nil))
    }

    @Test(arguments: ["jpeg-420.jpg", "jpeg-progressive-420.jpg"])
    func firstOfSeveralImagesIsDecoded(_ name: String) throws {
        let fixture = Fixture(name)
        let data = fixture.data + Fixture("jpeg-17x9.jpg").data
        #expect(try feed(data, in: 57, target: nil).whole == fixture.expectedBitmap(hasAlpha: false))
        #expect(try decode(data, target: nil) == fixture.expectedBitmap(hasAlpha: false))
    }

    /// Returns a file with details of all sizes.
    private static func photograph(_ size: PixelSize, isProgressive: Bool = false) throws -> Data {
        let bitmap = Bitmap(size.width, size.height) { x, y in
            let detail = (x &* 7 ^ y &* 13) & 31
            return Color(
                red: UInt8((x / 3 + detail) & 255), green: UInt8((y / 2 + detail) & 255), blue: UInt8(x * y >> 9 & 255))
        }
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: size), bitmap: bitmap)
        let context = ImageContext {
            $0.quality = 0.8
            $0.writesProgressiveJPEG = isProgressive
        }
        return try CoderRegistry([JPEGCoder()]).encode(image, as: .jpeg, context: context)
    }

    private static func scanCount(of data: Data) -> Int {
        data.indices.dropLast().count { data[$0] == 0xFF && data[$0 + 1] == 0xDA }
    }

    /// Returns a single-scan file of 60×200 pixels.
    private static func wavesFile() throws -> Data {
        let bitmap = Bitmap(60, 200) { x, y in
            Color(red: UInt8(x * y % 256), green: UInt8(x * 4), blue: UInt8(y))
        }
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        // The tests feed it in pieces, of which the last one must have more than the end of the file.
        let context = ImageContext { ($0.quality, $0.optimizesJPEG) = (0.8, false) }
        return try CoderRegistry([JPEGCoder()]).encode(image, as: .jpeg, context: context)
    }

    private func request(
        _ data: Data, target: PixelSize? = nil, context: ImageContext = .init(), cancellation: CancellationFlag? = nil
    ) throws -> DecodeRequest {
        DecodeRequest(
            data: data, info: try coder.info(of: data), target: target, context: context, cancellation: cancellation)
    }

    private func decode(_ data: Data, target: PixelSize?) throws -> Bitmap {
        try coder.decode(request(data, target: target))
    }

    private func feed(
        _ data: Data, in step: Int, target: PixelSize?, context: ImageContext = .init()
    ) throws -> (whole: Bitmap, previews: [Bitmap]) {
        var decoder = try coder.makePreviewDecoder(request(data, target: target, context: context))
        var previews: [Bitmap] = []
        for start in stride(from: 0, to: data.count, by: step) {
            if let preview = try decoder.append(data.dropFirst(start).prefix(step)) { previews.append(preview) }
        }
        return (try decoder.finish(), previews)
    }

    private func expectSame(_ data: Data, in step: Int, target: PixelSize?) throws {
        guard (try? coder.info(of: data)) != nil else { return }
        func outcome(_ body: () throws -> Bitmap) -> (Bitmap?, ImageError.Kind?) {
            do { return (try body(), nil) } catch { return (nil, (error as? ImageError)?.kind) }
        }
        let plain = outcome { try decode(data, target: target) }
        let fed = outcome { try feed(data, in: step, target: target).whole }
        #expect(fed.0 == plain.0 && fed.1 == plain.1)
    }
}
