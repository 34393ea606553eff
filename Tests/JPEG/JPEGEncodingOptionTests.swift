import DarkroomCore
import DarkroomJPEG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct JPEGEncodingOptionTests {
    private let registry = CoderRegistry([JPEGCoder()])

    private var bitmap: Bitmap {
        Bitmap(48, 40) { x, y in Color(red: UInt8(x * 5), green: UInt8(y * 6), blue: UInt8(x * y % 200)) }
    }

    @Test func progressiveFileHasTheSamePixelsInSeveralScans() throws {
        let (baseline, progressive) = (try encode { _ in }, try encode { $0.writesProgressiveJPEG = true })
        #expect(baseline.contains([0xFF, 0xC0]) && !baseline.contains([0xFF, 0xC2]))
        #expect(progressive.contains([0xFF, 0xC2]) && progressive.endOfFirstScan != nil)
        #expect(try registry.decode(progressive).bitmap == registry.decode(baseline).bitmap)
        #expect(try encode { $0.writesProgressiveJPEG = true } == progressive)
    }

    /// The coefficients of large files are in pages of the system.
    @Test(.bug(id: "18.2"), arguments: [nil, PixelSize(700, 550), PixelSize(175, 138)])
    func largeProgressiveFileHasTheSamePixels(_ target: PixelSize?) throws {
        let bitmap = Bitmap(1408, 1101) { x, y in
            Color(red: UInt8(x &* 7 & 255), green: UInt8((x ^ y) & 255), blue: UInt8(y / 5))
        }
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        let files = try [false, true].map { isProgressive in
            try registry.encode(image, as: .jpeg, context: ImageContext { $0.writesProgressiveJPEG = isProgressive })
        }
        let (baseline, progressive) = (files[0], files[1])
        let context = ImageContext {
            $0.thumbnail = target.map { .fit(Double($0.width), Double($0.height)) }
            $0.acceptsIncomplete = true
        }
        let whole = try registry.decode(baseline, context: context).bitmap
        #expect(try registry.decode(progressive, context: context).bitmap == whole)
        let start = try #require(progressive.endOfFirstScan)
        for count in stride(from: start + 10, to: progressive.count, by: (progressive.count - start) / 4) {
            let part = try registry.decode(progressive.prefix(count), context: context)
            #expect(part.metadata.isIncomplete && part.size == whole.size)
        }
    }

    @Test(arguments: [false, true], [nil, 0.2])
    func bestQualityBelowTheByteLimitIsChosen(_ isProgressive: Bool, _ quality: Double?) throws {
        func file(_ percent: Int) throws -> Data {
            try encode {
                $0.quality = Double(percent) / 100
                $0.writesProgressiveJPEG = isProgressive
            }
        }
        for bound in try [10, 40, 70, 95].map({ try file($0).count }) {
            let data = try encode {
                $0.quality = quality
                $0.encodedByteLimit = bound
                $0.writesProgressiveJPEG = isProgressive
            }
            let percent = try #require(try (1...100).first { try file($0) == data })
            #expect(data.count <= bound)
            let isHighest = try percent == 20 && quality != nil || percent == 100 || file(percent + 1).count > bound
            #expect(isHighest || data.count * 100 >= bound * 97)
        }
    }

    @Test func impossibleByteLimitGivesTheLowestQuality() throws {
        let data = try encode { $0.encodedByteLimit = 10 }
        #expect(try data == encode { $0.quality = 0.01 })
    }

    @Test(
        arguments: [
            (nil, 0.8, 0x22), (nil, 0.89, 0x22), (nil, 0.9, 0x11), (.automatic, 0.9, 0x11), (.chroma444, 0.3, 0x11),
            (.chroma422, 0.3, 0x21), (.chroma422, 1, 0x21), (.chroma420, 1, 0x22),
        ] as [(JPEGSubsampling?, Double, UInt8)])
    func chromaHasTheResolutionOfTheContext(
        _ subsampling: JPEGSubsampling?, _ quality: Double, _ sampling: UInt8
    ) throws {
        for isProgressive in [false, true] {
            let data = try encode {
                if let subsampling { $0.jpegSubsampling = subsampling }
                ($0.quality, $0.writesProgressiveJPEG) = (quality, isProgressive)
            }
            let frame = try #require(data.firstRange(of: Data([0xFF, isProgressive ? 0xC2 : 0xC0]))).lowerBound
            #expect(data[frame + 11] == sampling && data[frame + 14] == 0x11)
            #expect(try registry.decode(data).size == bitmap.size)
        }
    }

    @Test(arguments: JPEGSubsampling.allCases)
    func greyHasNoChroma(_ subsampling: JPEGSubsampling) throws {
        let gray = Bitmap(20, 20) { x, y in
            Color(red: UInt8(x * y / 2), green: UInt8(x * y / 2), blue: UInt8(x * y / 2))
        }
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: gray.size), bitmap: gray)
        let context = ImageContext { $0.jpegSubsampling = subsampling }
        let data = try registry.encode(image, as: .jpeg, context: context)
        #expect(try registry.info(of: data).colorModel == .gray)
    }

    @Test func optimizedTablesMakeTheSamePixelsSmaller() throws {
        let (plain, optimized) = (try encode { $0.optimizesJPEG = false }, try encode { $0.optimizesJPEG = true })
        #expect(optimized.count < plain.count)
        #expect(try registry.decode(optimized).bitmap == registry.decode(plain).bitmap)
        #expect(try encode { _ in } == optimized, "it is the default of small pictures")
        let large = Bitmap(513, 512) { x, y in Color(red: UInt8(x & y & 255), green: 0, blue: UInt8(x & 255)) }
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: large.size), bitmap: large)
        let files = try [nil, false].map { isOptimized in
            try registry.encode(image, as: .jpeg, context: ImageContext { $0.optimizesJPEG = isOptimized })
        }
        #expect(files[0] == files[1])
    }

    @Test func exifIsWrittenOnlyIfMetadataIsPreserved() throws {
        let exif = Exif(Data("MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0\u{1}\0\0\0\0\0\0".utf8))
        let kept = try encode(exif: exif) { $0.keepsMetadata = true }
        #expect(try JPEGCoder().info(of: kept).exif == exif)
        #expect(try registry.decode(kept).bitmap == registry.decode(encode { _ in }).bitmap)
        #expect(try JPEGCoder().info(of: encode(exif: exif) { _ in }).exif == nil)
    }

    @Test func exifLargerThanASegmentIsUnsupported() throws {
        /// A description of `count` bytes.
        func exif(_ count: Int) -> Exif {
            let entry = [0x01, 0x0E, 0, 2, 0, 0, UInt8(count >> 8), UInt8(count & 255), 0, 0, 0, 26, 0, 0, 0, 0]
            return Exif(Data("MM\0*\0\0\0\u{8}\0\u{1}".utf8) + entry + Data(repeating: 0x61, count: count))
        }
        let longest = exif(65_500)
        #expect(try JPEGCoder().info(of: encode(exif: longest) { $0.keepsMetadata = true }).exif == longest)
        let error = #expect(throws: ImageError.self) { try encode(exif: exif(65_502)) { $0.keepsMetadata = true } }
        #expect(error?.kind == .unsupported && error?.stage == .encode)
    }

    @Test(arguments: [false, true])
    func encodeIsCancelledBetweenRows(_ isProgressive: Bool) throws {
        let flag = CancellationFlag()
        let request = EncodeRequest(
            image: image(exif: nil), format: .jpeg, context: ImageContext { $0.writesProgressiveJPEG = isProgressive },
            cancellation: flag)
        flag.set()
        let error = #expect(throws: ImageError.self) { try JPEGCoder().encode(request) }
        #expect(error?.kind == .cancelled)
    }

    private func image(exif: Exif?) -> Image {
        var info = ImageInfo(format: .jpeg, storedSize: bitmap.size)
        info.exif = exif
        return Image(info: info, bitmap: bitmap)
    }

    private func encode(exif: Exif? = nil, _ configure: (inout ImageContext) -> Void) throws -> Data {
        try registry.encode(image(exif: exif), as: .jpeg, context: ImageContext(configure))
    }
}

extension Data {
    fileprivate func contains(_ bytes: [UInt8]) -> Bool { firstRange(of: Data(bytes)) != nil }
}
