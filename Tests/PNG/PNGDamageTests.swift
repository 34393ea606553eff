import DarkroomCore
import DarkroomPNG
import FoundationEssentials
import TestSupport
import Testing

/// Damage that browsers tolerate, because it leaves the pixels intact.
struct PNGDamageTests {
    private let registry = CoderRegistry([PNGCoder()])

    /// Chunks that may be absent, with contents that would matter.
    private static var chunks: [(name: String, body: Data)] {
        [
            ("gAMA", Data(UInt32(100_000).bytes)), ("sRGB", Data([0])), ("cICP", Data([9, 14, 0, 1])),
            (
                "cHRM",
                Data([31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000].flatMap { UInt32($0).bytes })
            ),
            ("iCCP", Data("x\0\0".utf8) + Data(AnimatedPNGBuilder.stored(Array(ProfileBuilder.adobeRGB.data)))),
            ("eXIf", Data("MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0\u{6}\0\0\0\0\0\0".utf8)),
            ("acTL", Data(UInt32(2).bytes + UInt32(0).bytes)), ("sBIT", Data([8, 8, 8])),
            ("bKGD", Data([0, 1, 0, 2, 0, 3])),
            ("pHYs", Data(UInt32(1).bytes + UInt32(2).bytes + [0])), ("tIME", Data([7, 234, 11, 26, 22, 30, 0])),
            ("sPLT", Data("s\0".utf8) + Data([8, 1, 2, 3, 4, 0, 5])), ("tEXt", Data("Comment\0some words here".utf8)),
            ("iTXt", Data("XML:com.adobe.xmp\0\0\0\0\0<x/>".utf8)),
            ("zTXt", Data("Title\0\0".utf8) + Data([0x78, 1, 9])),
            ("abCd", Data([1, 2, 3])),
        ]
    }

    enum Damage: CaseIterable {
        case checksum, name, longer, muchLonger, endless, shorter

        /// Returns the damaged chunk.
        func applied(to chunk: Data) -> Data {
            var chunk = chunk
            switch self {
            case .checksum: chunk[chunk.count - 2] ^= 0x40
            case .name: chunk[5] = 0x01
            case .longer: chunk[3] &+= 3
            case .muchLonger: chunk[2] &+= 100
            case .endless: chunk[0] = 0xFF
            case .shorter: chunk[3] &-= 1
            }
            return chunk
        }
    }

    private static let files = ["png-rgb-8.png", "png-palette-4-trns.png", "png-adam7-rgb-8.png", "png-gray-16.png"]

    @Test(arguments: files, chunks.indices)
    func damagedChunkIsIgnoredWithANote(_ name: String, _ index: Int) throws {
        for damage in Damage.allCases { try checkDamage(damage, of: Self.chunks[index], in: Parts(Fixture(name).data)) }
    }

    /// Inserts the damaged chunk after the header, before the pixels, and after them.
    private func checkDamage(_ damage: Damage, of chunk: (name: String, body: Data), in parts: Parts) throws {
        let context = ImageContext { $0.thumbnail = .fit(9, 9) }
        let damaged = damage.applied(to: AnimatedPNGBuilder.chunk(chunk.name, chunk.body))
        let expected = try registry.decode(parts.data)
        for place in [1, parts.firstPixels, parts.chunks.count - 1] {
            for hasEnd in [true, false] {
                var chunks = parts.chunks
                chunks.insert(damaged, at: place)
                let data = parts.signature + (hasEnd ? chunks : chunks.dropLast()).reduce(Data(), +)
                let image = try registry.decode(data)
                #expect(image.bitmap == expected.bitmap && !image.metadata.isIncomplete)
                #expect(!image.metadata.notes.isEmpty, "\(damage) of \(chunk.name) at \(place)")
                #expect(image.info.calibration == expected.info.calibration && image.info.iccProfile == nil)
                let small = try registry.decode(data, context: context).bitmap
                #expect(try small == registry.decode(parts.data, context: context).bitmap)
                #expect(try previewed(data).bitmap == expected.bitmap)
            }
        }
    }

    /// The end of the compressed stream: four bytes of a checksum.
    enum End: CaseIterable {
        case wrong, missing, shortened
    }

    @Test(arguments: files, End.allCases)
    func wrongOrMissingChecksumOfTheStreamIsNoted(_ name: String, _ end: End) throws {
        let parts = try Parts(Fixture(name).data)
        var stream = parts.stream
        switch end {
        case .wrong: stream[stream.count - 2] ^= 1
        case .missing: stream.removeLast(4)
        case .shortened: stream.removeLast(1)
        }
        let expected = try registry.decode(parts.data).bitmap
        let whole = parts.with(stream)
        // The same damage at the end of the file.
        for data in [whole.data, Data(whole.data.dropLast(12)), Data(whole.data.dropLast(16))] {
            let image = try registry.decode(data)
            #expect(image.bitmap == expected && !image.metadata.isIncomplete)
            #expect(image.metadata.notes.contains { $0.contains("checksum") || data.count < whole.data.count })
            let (bitmap, notes) = try previewed(data)
            #expect(bitmap == expected && !notes.isEmpty)
            let context = ImageContext { $0.thumbnail = .fit(9, 9) }
            #expect(
                try registry.decode(data, context: context).bitmap
                    == registry.decode(parts.data, context: context).bitmap)
        }
    }

    @Test(arguments: [false, true])
    func referencesBeyondTheDeclaredWindowAreFollowed(_ isInterlaced: Bool) throws {
        let bitmap = Bitmap(60, 40) { x, y in
            Color(red: UInt8(x * 4), green: UInt8((x * x * 7 + y % 4 * 50) & 255), blue: UInt8(x ^ y % 4))
        }
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let data = isInterlaced ? Fixture("png-adam7-rgb-8.png").data : try registry.encode(image, as: .png)
        let parts = try Parts(data)
        var stream = parts.stream
        // A window of 256 bytes.
        stream.replaceSubrange(0..<2, with: [0x08, 0x1D])
        let damaged = parts.with(stream).data
        let (expected, found) = try (registry.decode(data), registry.decode(damaged))
        #expect(found.bitmap == expected.bitmap)
        #expect(isInterlaced || found.metadata.notes.count == 1)
        let (previewed, notes) = try previewed(damaged)
        #expect(previewed == expected.bitmap && notes == found.metadata.notes)
    }

    @Test func wrongPixelsRemainAnError() throws {
        let parts = try Parts(Fixture("png-rgb-8.png").data)
        var stream = parts.stream
        stream[stream.count / 2] ^= 0xFF
        let error = #expect(throws: ImageError.self) { try registry.decode(parts.with(stream).data) }
        #expect(error?.kind == .corrupt)
    }

    @Test func intactChunkWithAnUnknownCriticalNameIsAnError() throws {
        var parts = try Parts(Fixture("png-rgb-8.png").data)
        parts.chunks.insert(AnimatedPNGBuilder.chunk("TEXT", Data()), at: 1)
        #expect(throws: ImageError.self) { try registry.decode(parts.data) }
    }

    /// The pixels of the embedded file must not be taken for those of a file whose end has not arrived.
    @Test func fileInAChunkIsNotMistakenForTheImage() throws {
        var parts = try Parts(Fixture("png-rgb-8.png").data)
        parts.chunks.insert(AnimatedPNGBuilder.chunk("caBX", Fixture("png-palette-8.png").data), at: 1)
        #expect(try registry.decode(parts.data).bitmap == registry.decode(Fixture("png-rgb-8.png").data).bitmap)
        for count in stride(from: 60, to: parts.chunks[1].count, by: 50) {
            let error = #expect(throws: ImageError.self) { try PNGCoder().info(of: Data(parts.data.prefix(count))) }
            #expect(error?.kind == .incomplete)
        }
    }

    private func previewed(_ data: Data) throws -> (bitmap: Bitmap, notes: [String]) {
        let request = DecodeRequest(data: data, info: try PNGCoder().info(of: data))
        var decoder = try PNGCoder().makePreviewDecoder(request)
        for start in stride(from: 0, to: data.count, by: 97) {
            _ = try decoder.append(data.dropFirst(start).prefix(97))
        }
        let bitmap = try decoder.finish()
        return (bitmap, request.notes)
    }
}

/// The chunks of a file.
private struct Parts {
    let signature: Data
    var chunks: [Data]

    init(_ file: Data) throws {
        signature = Data(file.prefix(8))
        chunks = []
        var start = 8
        while start < file.count {
            let count = file[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            chunks.append(Data(file[start..<(start + 12 + count)]))
            start += 12 + count
        }
    }

    var data: Data { chunks.reduce(signature, +) }

    var firstPixels: Int { chunks.firstIndex(where: Self.isPixels) ?? 0 }

    /// The compressed pixels.
    var stream: Data { chunks.filter(Self.isPixels).reduce(Data()) { $0 + $1.dropFirst(8).dropLast(4) } }

    /// Returns the file with other compressed pixels, in one chunk.
    func with(_ stream: Data) -> Parts {
        var parts = self
        parts.chunks.removeAll(where: Self.isPixels)
        parts.chunks.insert(AnimatedPNGBuilder.chunk("IDAT", stream), at: firstPixels)
        return parts
    }

    private static func isPixels(_ chunk: Data) -> Bool { chunk.dropFirst(4).starts(with: Data("IDAT".utf8)) }
}
