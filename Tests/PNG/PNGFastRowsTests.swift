import CPNG
import DarkroomCore
import DarkroomTestKit
import DarkroomPNG
import FoundationEssentials
import TestSupport
import Testing

/// Compares rows read by the fast path with those read by libpng.
struct PNGFastRowsTests {
    @Test(arguments: Fixture.all(of: .png) + Fixture.broken(of: .png))
    func everyFileGivesTheResultOfLibpng(_ fixture: Fixture) {
        #expect(isSame(fixture.data))
    }

    @Test(arguments: [
        "png-rgb-8.png", "png-rgba-8.png", "png-gray-alpha-8.png", "png-gray-8.png", "png-gray-4.png", "png-gray-2.png",
        "png-gray-1.png", "png-palette-8.png", "png-palette-8-trns.png", "png-palette-4.png", "png-palette-2-trns.png",
        "png-palette-1.png", "png-gray-16.png", "png-gray-alpha-16.png", "png-rgb-16.png", "png-rgba-16.png",
    ])
    func commonFilesAreReadWithoutLibpng(_ name: String) throws {
        let fast = try #require(PNGRowsReading.read(Fixture(name).data))
        #expect(fast.isFast && fast.reading.code == CPNG_OK)
    }

    @Test(arguments: ["png-rgb-8.png", "png-palette-8.png"])
    func everyPrefixGivesTheResultOfLibpng(_ name: String) {
        let data = Fixture(name).data
        for count in 8..<data.count where !isSame(Data(data.prefix(count))) { Issue.record("\(count) bytes") }
    }

    @Test(arguments: ["png-rgb-8.png", "png-palette-8.png"])
    func everyCorruptByteGivesTheResultOfLibpng(_ name: String) {
        let data = Fixture(name).data
        for index in data.indices {
            for bits in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = data
                changed[index] ^= bits
                if !isSame(changed) { Issue.record("byte \(index)") }
                var bytes = [UInt8](changed)
                mendChecksums(&bytes)
                if !isSame(Data(bytes)) { Issue.record("byte \(index), with right checksums") }
            }
        }
    }

    @Test func mutatedFilesGiveTheResultOfLibpng() {
        let files = (Fixture.all(of: .png) + Fixture.broken(of: .png)).map { [UInt8]($0.data) }
        var mutator = FileMutator(files.filter { (1..<8_000).contains($0.count) }, seed: 11)
        for index in 0..<3000 {
            let bytes = mutator.next()
            if !isSame(Data(bytes)) { Issue.record("variant \(index)") }
        }
    }

    @Test(
        arguments: [
            (0, 8), (2, 8), (3, 8), (4, 8), (6, 8), (0, 16), (2, 16), (4, 16), (6, 16), (0, 4), (0, 2), (0, 1), (3, 4),
            (3, 2), (3, 1),
        ], 0...4)
    func everyFilterIsReversed(_ kind: (colorType: UInt8, bitDepth: UInt8), _ filter: UInt8) throws {
        var random = SeededGenerator(seed: UInt64(kind.colorType) * 8 + UInt64(filter))
        for width in [1, 2, 3, 5, 16, 17, 33, 100] {
            var file = PNGFileBuilder(
                size: PixelSize(width, 7), colorType: kind.colorType, bitDepth: kind.bitDepth)
            file.filters = [filter, 4 - filter, filter, filter, filter, 3, filter]
            file.fill(&random)
            let fast = try #require(PNGRowsReading.read(file.data))
            #expect(fast.isFast && fast.reading.code == CPNG_OK)
            #expect(fast.reading == PNGRowsReading.read(file.data, byLibraryAlone: true)?.reading)
        }
    }

    @Test func invalidFilterIsLeftToLibpng() throws {
        var file = PNGFileBuilder(size: PixelSize(9, 7), colorType: 2)
        file.filters[6] = 5
        let fast = try #require(PNGRowsReading.read(file.data))
        #expect(!fast.isFast && fast.reading.code == CPNG_FAILED)
        #expect(isSame(file.data))
    }

    @Test(arguments: [0, 1, 2, 3, 11, 64])
    func chunksOfAnyLengthFormOneStream(_ byteCount: Int) throws {
        var random = SeededGenerator(seed: 5)
        var file = PNGFileBuilder(size: PixelSize(31, 20), colorType: 6)
        file.fill(&random)
        file.chunkByteCount = max(byteCount, 1)
        file.hasEmptyChunks = byteCount == 0
        let fast = try #require(PNGRowsReading.read(file.data))
        #expect(fast.isFast && fast.reading.code == CPNG_OK)
        #expect(isSame(file.data))
    }

    @Test(arguments: [0, 1, 3, 6, 9], [false, true])
    func imagesLargerThanTheWindowGiveTheResultOfLibpng(_ level: Int, _ hasAlpha: Bool) throws {
        var random = SeededGenerator(seed: 9)
        let bitmap = Bitmap(250, 220, hasAlpha: hasAlpha) { x, y in
            let noise = UInt8.random(in: 0...7, using: &random)
            return Color(
                red: UInt8(x) ^ noise, green: UInt8(y), blue: UInt8(x / 40 * 40), alpha: hasAlpha ? UInt8(y) : 255)
        }
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let context = ImageContext { $0.pngCompressionLevel = level }
        let data = try CoderRegistry([PNGCoder()]).encode(image, as: .png, context: context)
        let fast = try #require(PNGRowsReading.read(data))
        #expect(fast.isFast && fast.reading.code == CPNG_OK)
        #expect(isSame(data))
    }

    @Test func rowsReadAgainAreReturnedOneByOne() throws {
        // The IDAT chunk has a wrong checksum, which is detected at its end.
        var file = PNGFileBuilder(size: PixelSize(250, 200), colorType: 2)
        file.chunkByteCount = 1_000_000
        var data = file.data
        data[data.count - 13] ^= 1
        let fast = try #require(PNGRowsReading.read(data))
        #expect(!fast.isFast && fast.reading.code == CPNG_FAILED && fast.againCount > 50)
        #expect(isSame(data))
    }

    private func isSame(_ data: Data) -> Bool {
        PNGRowsReading.read(data)?.reading == PNGRowsReading.read(data, byLibraryAlone: true)?.reading
    }

    /// Corrects the checksums of all chunks.
    private func mendChecksums(_ bytes: inout [UInt8]) {
        var start = 8
        while start + 12 <= bytes.count {
            let count = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard count <= bytes.count - start - 12 else { return }
            let end = start + 8 + count
            let checksum = unsafe cpng_crc(0, Array(bytes[(start + 4)..<end]), count + 4)
            bytes.replaceSubrange(end..<(end + 4), with: checksum.bytes)
            start = end + 4
        }
    }
}
