import DarkroomCore
@testable import DarkroomJPEG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// The decoder of baseline files at an eighth and a quarter of their size against libjpeg.
struct JPEGReducedTests {
    /// A coder that decodes files of any length without libjpeg.
    private var coder: JPEGCoder {
        var coder = JPEGCoder()
        coder.minimumBypassByteCount = 0
        return coder
    }

    /// Encodes a gradient with noise of `amplitude`: 4:4:4 from a quality of 0.9 on, otherwise 4:2:0.
    private static func file(_ size: PixelSize, quality: Double, amplitude: Int = 60) throws -> Data {
        var random = SeededGenerator(seed: size.width * 1000 + size.height)
        let bitmap = Bitmap(size.width, size.height) { x, y in
            func channel(_ value: Int) -> UInt8 {
                UInt8(clamping: value + Int.random(in: -amplitude...amplitude, using: &random))
            }
            return Color(
                red: channel(x * 255 / size.width), green: channel(y * 255 / size.height), blue: channel((x ^ y) & 255))
        }
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        return try CoderRegistry([JPEGCoder()]).encode(image, as: .jpeg, context: ImageContext { $0.quality = quality })
    }

    private static let scales = [1, 2]

    private static let supported = [
        "jpeg-420.jpg", "jpeg-422.jpg", "jpeg-440.jpg", "jpeg-444.jpg", "jpeg-411.jpg", "jpeg-441.jpg", "jpeg-gray.jpg",
        "jpeg-optimized.jpg", "jpeg-restart.jpg",
    ]

    @Test(arguments: Fixture.all(of: .jpeg), [1, 3, 16])
    func rowsEqualThoseOfLibjpeg(_ fixture: Fixture, _ portion: Int) {
        for eighths in Self.scales { expectSameRows(fixture.data, eighths: eighths, portion: portion) }
    }

    @Test(arguments: supported, scales)
    func regularFileIsDecodedWithoutLibjpeg(_ name: String, _ eighths: Int) {
        #expect(expectSameRows(Fixture(name).data, eighths: eighths))
    }

    @Test(arguments: ["jpeg-rgb.jpg", "jpeg-cmyk.jpg", "jpeg-ycck.jpg", "jpeg-progressive-420.jpg"], scales)
    func otherKindsAreLeftToLibjpeg(_ name: String, _ eighths: Int) {
        #expect(!expectSameRows(Fixture(name).data, eighths: eighths))
    }

    @Test(arguments: [3, 4, 8])
    func otherScalesAreLeftToLibjpeg(_ eighths: Int) {
        #expect(!expectSameRows(Fixture("jpeg-420.jpg").data, eighths: eighths))
    }

    @Test(arguments: [0.3, 0.85, 1], scales)
    func everySizeIsDecoded(_ quality: Double, _ eighths: Int) throws {
        for width in [1, 2, 7, 8, 9, 15, 16, 17, 23, 31, 32, 33, 40] {
            for height in [1, 7, 8, 9, 16, 17, 24, 33] {
                let data = try Self.file(PixelSize(width, height), quality: quality)
                #expect(expectSameRows(data, eighths: eighths))
            }
        }
    }

    /// A file of 35x21 pixels remains regular if the same number of MCUs is arranged in another way.
    @Test(
        arguments: [
            ("jpeg-411.jpg", 32, 8), ("jpeg-420.jpg", 16, 16), ("jpeg-422.jpg", 16, 8), ("jpeg-440.jpg", 8, 16),
            ("jpeg-441.jpg", 8, 32), ("jpeg-444.jpg", 8, 8), ("jpeg-gray.jpg", 8, 8),
        ], scales)
    func everyWidthIsDecoded(_ file: (name: String, width: Int, height: Int), _ eighths: Int) {
        let data = Fixture(file.name).data
        let mcuCount = ((35 + file.width - 1) / file.width) * ((21 + file.height - 1) / file.height)
        for columns in 1...mcuCount where mcuCount.isMultiple(of: columns) {
            for width in ((columns - 1) * file.width + 1)...(columns * file.width) {
                let height = mcuCount / columns * file.height - width % file.height
                let reshaped = data.withFrameSize(width, height)
                #expect(expectSameRows(reshaped, eighths: eighths), "\(width)x\(height)")
            }
        }
    }

    /// Their entropy-coded data exceeds the buffer several times, and contains many stuffed zeros.
    @Test(arguments: [0.2, 0.85, 1], scales)
    func longFileIsDecoded(_ quality: Double, _ eighths: Int) throws {
        let data = try Self.file(PixelSize(523, 311), quality: quality)
        #expect(data.count > 40_000 || quality < 0.5)
        #expect(expectSameRows(data, eighths: eighths))
    }

    @Test(arguments: supported, scales)
    func truncatedFileIsLeftToLibjpeg(_ name: String, _ eighths: Int) {
        let data = Fixture(name).data
        for count in 0..<data.count {
            #expect(!expectSameRows(Data(data.prefix(count)), eighths: eighths, portion: 2, "\(count) bytes"))
        }
    }

    @Test(arguments: supported, scales)
    func mutatedFileGivesTheResultOfLibjpeg(_ name: String, _ eighths: Int) {
        for seed in UInt64(1)...2 {
            var mutator = FileMutator([[UInt8](Fixture(name).data)], seed: seed)
            for index in 0..<120 {
                expectSameRows(Data(mutator.next()), eighths: eighths, portion: 1 + index % 4, "\(seed), \(index)")
            }
        }
    }

    /// Unlike most other mutations, these often leave a file that is decoded to its end.
    @Test(arguments: supported, scales)
    func flippedBitGivesTheResultOfLibjpeg(_ name: String, _ eighths: Int) throws {
        let whole = Fixture(name).data
        let start = try #require(whole.firstRange(of: Data([0xFF, 0xDA]))).upperBound + 10
        var random = SeededGenerator(seed: 1)
        for index in 0..<300 {
            var data = whole
            let place = Int.random(in: start..<(data.count - 2), using: &random)
            data[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            expectSameRows(data, eighths: eighths, portion: 1 + index % 4, "\(index)")
        }
    }

    @Test func quantizersOf16BitsAreLeftToLibjpeg() throws {
        let data = Fixture("jpeg-gray.jpg").data
        let table = try #require(data.firstRange(of: Data([0xFF, 0xDB]))).lowerBound
        var body = Data([0x10])
        for value in data[(table + 5)..<(table + 69)] { body += [1, value] }
        var wide = data
        wide.replaceSubrange(table..<(table + 69), with: Data.segment(0xDB, body))
        for eighths in Self.scales { #expect(!expectSameRows(wide, eighths: eighths)) }
    }

    @Test func bytesAfterTheImageAreIgnored() {
        let data = Fixture("jpeg-restart.jpg").data + Data(repeating: 0xFF, count: 100)
        for eighths in Self.scales { #expect(expectSameRows(data, eighths: eighths)) }
    }

    @Test(arguments: [0.85, 1], [1, 5, 16])
    func irregularRowMakesLibjpegContinue(_ quality: Double, _ portion: Int) throws {
        let whole = try Self.file(PixelSize(200, 300), quality: quality)
        let start = try #require(whole.firstRange(of: Data([0xFF, 0xDA]))).upperBound
        for tenth in 1...9 {
            let cut = start + (whole.count - start) * tenth / 10
            let data = whole[..<cut] + Data([0xFF, 0xD3]) + whole.suffix(200)
            for eighths in Self.scales {
                #expect(!expectSameRows(data, eighths: eighths, portion: portion, "\(tenth)"))
            }
        }
    }

    @Test(arguments: [true, false], scales)
    func cancelledDecodeStopsAtTheNextRow(_ bypassing: Bool, _ eighths: Int) throws {
        let data = try Self.file(PixelSize(64, 320), quality: 0.85)
        let flag = CancellationFlag()
        var portionCount = 0
        let way = ReducedDecode.Way(eighths: eighths, bypassing: bypassing, portion: 4, cancellation: flag)
        let (decode, bypassed) = ReducedDecode.decode(data, way) {
            portionCount += 1
            if portionCount == 3 { flag.set() }
        }
        #expect(portionCount == 3 && decode.rowCount == 12 && bypassed == bypassing)
        #expect(decode.error == "\(ImageError.cancelled)")
    }

    @Test(arguments: Fixture.all(of: .jpeg))
    func coderContractHolds(_ fixture: Fixture) throws { try CoderContract(coder).checkFile(fixture.data) }

    @Test(arguments: Fixture.all(of: .jpeg), [PixelSize(4, 3), PixelSize(2, 1), PixelSize(1, 1)])
    func thumbnailDoesNotDependOnTheDecoder(_ fixture: Fixture, _ target: PixelSize) throws {
        var libjpeg = coder
        libjpeg.bypassesLibjpeg = false
        let thumbnails = try [coder, libjpeg].map { coder in
            try coder.decode(DecodeRequest(data: fixture.data, info: coder.info(of: fixture.data), target: target))
        }
        #expect(thumbnails[0] == thumbnails[1])
    }

    @Test func methodIsReported() throws {
        let data = try Self.file(PixelSize(320, 240), quality: 0.85)
        let target = PixelSize(20, 15)
        var libjpeg = JPEGCoder()
        libjpeg.bypassesLibjpeg = false
        #expect(try method(JPEGCoder(), data, target) == "without libjpeg at 1/8")
        #expect(try method(libjpeg, data, target) == "libjpeg at 1/8")
        #expect(try method(JPEGCoder(), data, PixelSize(40, 30)) == "without libjpeg at 2/8")
        #expect(try method(libjpeg, data, PixelSize(40, 30)) == "libjpeg at 2/8")
        #expect(try method(JPEGCoder(), data, PixelSize(80, 60)) == "libjpeg at 4/8")
        #expect(try method(JPEGCoder(), data, PixelSize(160, 120)) == "libjpeg at 8/8")
        #expect(try method(JPEGCoder(), Fixture("jpeg-420.jpg").data, PixelSize(2, 1)) == "libjpeg at 8/8")
        let irregular = data.dropLast(2) + Data([0, 0xFF, 0xD9])
        #expect(try method(JPEGCoder(), irregular, target) == "libjpeg at 1/8, because the file is irregular")
        #expect(
            try method(JPEGCoder(), irregular, PixelSize(40, 30)) == "libjpeg at 2/8, because the file is irregular")
    }

    private func method(_ coder: JPEGCoder, _ data: Data, _ target: PixelSize) throws -> String? {
        let request = DecodeRequest(data: data, info: try coder.info(of: data), target: target)
        _ = try coder.decode(request)
        #expect(request.notes.isEmpty)
        return request.method
    }
}
