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

/// Writes small files in grey: the directories, and 200 bytes of 7, which are the pixels of all pages.
private enum TIFFBuilder {
    static let pixelByteCount = 200

    /// A page: the values of its fields, and the numbers of bytes of further ones.
    struct Page {
        var fields: [Int: Int]
        let claims: [Int: Int]

        /// Creates a page of 10×10 pixels in one strip, with some of its fields replaced.
        init(_ fields: [Int: Int], claims: [Int: Int] = [:]) {
            let standard = [256: 10, 257: 10, 258: 8, 259: 1, 262: 1, 277: 1, 278: 10]
            self.fields = standard.merging(fields) { $1 }
            self.claims = claims
            if isTiled { self.fields[278] = nil }
        }

        var isTiled: Bool { fields[322] != nil }

        var rowCount: Int { fields[278] ?? 10 }

        /// The number of strips. Those of huge pages are not written.
        var stripCount: Int {
            guard let height = fields[257], height <= 100, !isTiled else { return 1 }
            return (height + rowCount - 1) / rowCount
        }

        var entryCount: Int { fields.count + claims.count + 2 }

        /// The size of the directory, the offset of the next, and the tables of strips.
        var byteCount: Int { 2 + 12 * entryCount + 4 + (stripCount > 1 ? 8 * stripCount : 0) }
    }

    static func page(_ fields: [Int: Int], claims: [Int: Int] = [:]) -> Page { Page(fields, claims: claims) }

    /// Returns a file of `pages`.
    static func file(_ pages: [Page]) -> Data {
        let pixels = 8 + pages.reduce(0) { $0 + $1.byteCount }
        var file = Data([0x49, 0x49, 42, 0]) + number(8, 4)
        for (index, page) in pages.enumerated() {
            let next = index < pages.count - 1 ? file.count + page.byteCount : 0
            file += directory(page, at: file.count, next: next, pixels: pixels)
        }
        return file + Data(repeating: 7, count: pixelByteCount)
    }

    private static func directory(_ page: Page, at start: Int, next: Int, pixels: Int) -> Data {
        let (count, table) = (page.stripCount, start + 2 + 12 * page.entryCount + 4)
        var entries: [(tag: Int, type: Int, count: Int, value: Int)] = page.fields.map { ($0, 4, 1, $1) }
        entries += page.claims.map { ($0, 7, $1, 8) }
        entries.append((page.isTiled ? 324 : 273, 4, count, count > 1 ? table : pixels))
        entries.append((page.isTiled ? 325 : 279, 4, count, count > 1 ? table + 4 * count : 100))
        var data = number(page.entryCount, 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            data += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4) + number(entry.value, 4)
        }
        data += number(next, 4)
        guard count > 1 else { return data }
        let stripByteCount = page.rowCount * 10
        for strip in 0..<count { data += number(pixels + strip * stripByteCount, 4) }
        for _ in 0..<count { data += number(stripByteCount, 4) }
        return data
    }

    private static func number(_ value: Int, _ byteCount: Int) -> Data {
        Data((0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
