import DarkroomCore
import DarkroomTIFF
import DarkroomTestKit
import Foundation
import Testing

private let folder = FixtureFolder(beside: #filePath)

/// Files that are damaged, or claim to be larger than they are.
struct TIFFLimitTests {
    private let registry = CoderRegistry([TIFFCoder()])

    /// The fields of a page of rows of gigabytes, of a strip of gigabytes, of billions of strips, of many samples, and of tiles
    /// of gigabytes; and the limit that they exceed.
    private static let hugeClaims: [(fields: [Int: Int], limit: String)] = [
        ([256: 1 << 30, 257: 1], "pixelCount"), ([256: 60_000, 257: 60_000, 278: 60_000], "pixelCount"),
        ([256: 1, 257: 1 << 30, 278: 1], "pixelCount"),
        ([258: 16, 277: 60_000, 256: 60_000, 257: 1], "decodedByteCount"),
        ([322: 1 << 16, 323: 1 << 14], "decodedByteCount"), ([322: 1 << 30, 323: 1 << 30], ""),
        ([262: 6, 277: 3, 322: 1 << 15, 323: 1 << 15], "decodedByteCount"),
    ]

    /// The fields of a page in RGB, whose stored row and result have 28 MB together, and of one in CCITT, which is resized.
    private static let wideRows: [(fields: [Int: Int], target: PixelSize)] = [
        ([256: 4_000_000, 257: 1, 262: 2, 277: 3], PixelSize(4_000_000, 1)),
        ([256: 2_500_000, 257: 1, 258: 1, 259: 4], PixelSize(100, 1)),
    ]

    private static let unsupported: [(fields: [Int: Int], name: String)] = [
        ([339: 3, 258: 32], "samples in floating point"), ([339: 2], "signed samples"),
        ([258: 32], "samples of 32 bits"),
        ([259: 6], "compression 6"), ([262: 32_803], "photometric interpretation 32803"), ([339: 5], "complex samples"),
        ([262: 5, 277: 4, 332: 2], "inks other than CMYK"),
    ]

    @Test(arguments: hugeClaims)
    func hugeClaimsAreRefusedBeforeAnyAllocation(fields: [Int: Int], limit: String) throws {
        let file = TIFFBuilder.file([TIFFBuilder.page(fields)])
        let error = #expect(throws: ImageError.self) { try registry.decode(file) }
        if limit.isEmpty { return }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains(limit) == true)
    }

    @Test func tablesOfStripsCountOncePerPlane() throws {
        let (coder, context) = (TIFFCoder(), ImageContext { $0.limits.decodedByteCount = 64 << 20 })
        func decode(height: Int) throws -> Bitmap {
            let file = TIFFBuilder.planes(height: height)
            let info = try coder.info(of: InfoRequest(data: file, limits: context.limits))
            return try coder.decode(DecodeRequest(data: file, info: info, context: context))
        }
        #expect(try decode(height: 100).size == PixelSize(1, 100))
        // The tables in the file have 2 MB, and those in memory 16 MB per plane.
        let error = #expect(throws: ImageError.self) { _ = try decode(height: 200_000) }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("decodedByteCount") == true)
    }

    @Test(arguments: wideRows)
    func everyFormOfARowCounts(fields: [Int: Int], target: PixelSize) throws {
        let (coder, file) = (TIFFCoder(), TIFFBuilder.file([TIFFBuilder.page(fields)]))
        let context = ImageContext { $0.limits.decodedByteCount = 64 << 20 }
        let info = try coder.info(of: file)
        let error = #expect(throws: ImageError.self) {
            _ = try coder.decode(DecodeRequest(data: file, info: info, target: target, context: context))
        }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("decodedByteCount") == true)
    }

    @Test(arguments: unsupported)
    func unsupportedFeatureIsNamed(fields: [Int: Int], name: String) throws {
        let error = #expect(throws: ImageError.self) {
            try registry.info(of: TIFFBuilder.file([TIFFBuilder.page(fields)]))
        }
        #expect(error?.kind == .unsupported)
        #expect(error?.message == "the TIFF has \(name), which is not supported")
    }

    @Test func directoryWithOverlappingValuesIsRefused() throws {
        // 300 entries, each of which claims all bytes of the file.
        let claims = Dictionary(uniqueKeysWithValues: (0..<300).map { (40_000 + $0, 3_000) })
        let file = TIFFBuilder.file([TIFFBuilder.page([:], claims: claims)])
        let error = #expect(throws: ImageError.self) { try registry.info(of: file) }
        #expect(error?.message == "a directory of the TIFF declares more bytes than the file has")
    }

    @Test func loopOfPagesEnds() throws {
        var file = TIFFBuilder.file([TIFFBuilder.page([:]), TIFFBuilder.page([:])])
        let end = file.count - TIFFBuilder.pixelByteCount
        file.replaceSubrange((end - 4)..<end, with: file[4..<8])
        let image = try registry.decode(file)
        #expect(image.info.frameCount == 2)
        #expect(image.metadata.notes == ["the pages of the TIFF form a loop"])
    }

    @Test func tooManyPagesAreRefused() throws {
        let file = TIFFBuilder.file((0..<12).map { _ in TIFFBuilder.page([:]) })
        #expect(try registry.info(of: file).frameCount == 12)
        let error = #expect(throws: ImageError.self) {
            try registry.decode(file, context: ImageContext { $0.limits.frameCount = 11 })
        }
        #expect(error?.message.contains("context.limits.frameCount") == true)
    }

    @Test func profileBeyondTheLimitIsRefused() throws {
        let error = #expect(throws: ImageError.self) {
            try registry.decode(
                try folder.data(of: "profile.tiff"), context: ImageContext { $0.limits.metadataByteCount = 100 })
        }
        #expect(error?.message.contains("metadataByteCount") == true)
    }

    @Test(arguments: ["tiles", "rgb-zip", "planar-alpha-lzw"])
    func damagedBlockLeavesTheOthers(_ name: String) throws {
        var file = try folder.data(of: name + ".tiff")
        let whole = try registry.decode(file)
        // tiffcp writes pixels first: this is inside one of the last strips or tiles.
        let place = (Int(file[4]) | Int(file[5]) << 8) * 7 / 10
        file.replaceSubrange(place..<(place + 40), with: Data(repeating: 0xFF, count: 40))
        let image = try registry.decode(file)
        #expect(image.metadata.isIncomplete)
        #expect(image.metadata.notes.first?.hasPrefix("the TIFF is damaged") == true)
        let (before, after, width) = (whole.bitmap.bytes, image.bitmap.bytes, image.size.width * 4)
        let intactCount = (0..<image.size.height).count { y in
            before[(y * width)..<((y + 1) * width)] == after[(y * width)..<((y + 1) * width)]
        }
        #expect((9..<image.size.height).contains(intactCount))
    }

    @Test func truncatedFileIsShownInPartOnRequest() throws {
        let file = TIFFBuilder.file([TIFFBuilder.page([257: 20, 278: 4])]).dropLast(50)
        let error = #expect(throws: ImageError.self) { try registry.decode(file) }
        #expect(error?.kind == .incomplete)
        let image = try registry.decode(file, context: ImageContext { $0.acceptsIncomplete = true })
        #expect(image.metadata.isIncomplete)
        let bytes = image.bitmap.bytes
        #expect(Array(bytes.prefix(4)) == [7, 7, 7, 255] && Array(bytes.suffix(4)) == [255, 255, 255, 255])
    }
}
