import DarkroomCore
import DarkroomTestKit
import Foundation
import TestSupport
import Testing

struct ExifTests {
    private static let everything = TIFFBuilder(
        main: [
            .short(0x0112, 6), .text(0x0132, "2026:01:02 03:04:05"), .directory(0x8769, 0), .directory(0x8825, 1),
        ],
        others: [
            [.short(0x9000, 2), .text(0x9003, "2025:12:31 23:59:58")], [.short(0, 2)],
        ])

    @Test(arguments: [true, false])
    func everyFieldIsReadInBothByteOrders(isLittleEndian: Bool) {
        let data = Self.everything.data(isLittleEndian: isLittleEndian)
        for exif in [Exif(data), Exif(Data("Exif\0\0".utf8) + data), Exif((Data([1, 2]) + data).dropFirst(2))] {
            #expect(exif.data == data)
            #expect(exif.orientation == .right)
            #expect(exif.dateTime == "2025-12-31 23:59:58")
            #expect(exif.hasLocation)
        }
    }

    @Test(arguments: [true, false])
    func writtenExifIsUprightAndKeepsTheRest(isLittleEndian: Bool) throws {
        let written = try #require(Exif(Self.everything.data(isLittleEndian: isLittleEndian)).written())
        #expect(written.orientation == .up)
        #expect(written.dateTime == "2025-12-31 23:59:58")
        #expect(written.hasLocation)
        #expect(written.written() == written)
    }

    @Test func writtenExifHasTheSizeOfThePictureAndNoThumbnail() throws {
        // The main directory links to one with a thumbnail, as a text.
        var original = TIFFBuilder(
            main: [
                .long(0x0100, 400), .short(0x0101, 300), .directory(0x8769, 0), .text(0x927C, "maker's preview"),
                .text(0x010F, "Camera"),
            ],
            others: [
                [.long(0xA002, 400), .long(0xA003, 300), .text(0x927C, "maker's preview"), .short(0xA001, 2)],
                [.text(0x0201, "thumbnail of the whole")],
            ]
        ).data(isLittleEndian: true)
        let next = 8 + 2 + 5 * 12, second = next + 4 + 2 + 4 * 12 + 4
        original.replaceSubrange(next..<(next + 4), with: [UInt8(second & 255), UInt8(second >> 8), 0, 0])
        let written = try #require(Exif(original).written(size: PixelSize(70_000, 20)))
        let expected = TIFFBuilder(
            main: [.long(0x0100, 70_000), .short(0x0101, 20), .text(0x010F, "Camera"), .directory(0x8769, 0)],
            others: [[.short(0xA001, 1), .long(0xA002, 70_000), .short(0xA003, 20)]])
        // Values begin at even offsets.
        #expect(written.data == expected.data(isLittleEndian: true) + [0])
    }

    @Test func writtenExifIsUprightForReadersOfAnyTypeOrTheLastTag() {
        let builder = TIFFBuilder(main: [.short(0x0112, 3), .long(0x0112, 8)])
        let expected = TIFFBuilder(main: [.short(0x0112, 1)])
        #expect(Exif(builder.data(isLittleEndian: true)).written()?.data == expected.data(isLittleEndian: true))
    }

    @Test func brokenOrEmptyExifIsNotWritten() {
        let data = Self.everything.data(isLittleEndian: true)
        for count in 0..<58 { #expect(Exif(data.prefix(count)).written() == nil, "\(count) bytes") }
        for data in [Data(), Data("II*".utf8), TIFFBuilder(main: [.short(7, 7)]).data(isLittleEndian: true)] {
            #expect(Exif(data).written() == nil)
            #expect(Exif(data).orientation == .up)
        }
    }

    @Test func valuesThatOverlapAreNotMultiplied() {
        let text = String(repeating: "x", count: 1000)
        var data = TIFFBuilder(main: (0..<11).map { _ in .text(0x010E, text) }).data(isLittleEndian: true)
        // Eleven kept tags, whose values are the same bytes.
        let tags = [0x0D, 0x0E, 0x0F, 0x10, 0x1A, 0x1B, 0x28, 0x31, 0x32, 0x3B, 0x3C] as [UInt8]
        for (index, tag) in tags.enumerated() {
            data[10 + 12 * index] = tag
            data.replaceSubrange((18 + 12 * index)..<(22 + 12 * index), with: data[18..<22])
        }
        #expect(Exif(data).written() != nil)
        #expect(Exif(data.prefix(146 + 1001)).written() == nil)
    }

    @Test func modificationDateReplacesAMissingCaptureDate() {
        for taken in [" ", "2025:13:01 00:00:00", "0000:00:00 00:00:00", "2025:12:31", "2025-12-31 23:59:58x"] {
            let builder = TIFFBuilder(
                main: [.text(0x0132, "2026:01:02 03:04:05  "), .directory(0x8769, 0)], others: [[.text(0x9003, taken)]])
            #expect(Exif(builder.data(isLittleEndian: false)).dateTime == "2026-01-02 03:04:05")
        }
    }

    @Test(arguments: ["    :  :     :  :  ", "2026:01:02 03:04:61", "2026:01:02T03:04:05", "+026:01:02 03:04:05", "é"])
    func invalidDateIsNil(text: String) {
        #expect(Exif(TIFFBuilder(main: [.text(0x0132, text)]).data(isLittleEndian: true)).dateTime == nil)
    }

    @Test func emptyGPSDirectoryIsNotALocation() {
        let builder = TIFFBuilder(main: [.directory(0x8825, 0)], others: [[]])
        #expect(!Exif(builder.data(isLittleEndian: true)).hasLocation)
        #expect(!Exif(TIFFBuilder(main: [.long(0x8825, 1 << 30)]).data(isLittleEndian: true)).hasLocation)
    }

    @Test func cyclicDirectoriesEnd() {
        // The main directory is at 8, and links to itself.
        let builder = TIFFBuilder(main: [.long(0x8769, 8), .long(0x8825, 8), .short(0x0112, 8)])
        let exif = Exif(builder.data(isLittleEndian: true))
        #expect(exif.orientation == .left)
        #expect(exif.hasLocation)
    }

    @Test func invalidExifCountsAsUpright() {
        let data = Self.everything.data(isLittleEndian: true)
        for count in 0..<22 { #expect(Exif(data.prefix(count)).orientation == .up) }
        var far = data
        far.replaceSubrange(4..<8, with: [255, 255, 255, 255])
        #expect(Exif(far).orientation == .up)
    }

    @Test func orientationOfAnyIntegerTypeCounts() {
        let long = TIFFBuilder(main: [.long(0x0112, 6)]).data(isLittleEndian: true)
        #expect(Exif(long).orientation == .right && Exif(long).written()?.orientation == .up)
        var signed = long
        signed[12] = 9
        #expect(Exif(signed).orientation == .right)
        var text = long
        text[12] = 2
        #expect(Exif(text).orientation == .up)
    }

    @Test(arguments: 0..<40)
    func damageNeverTrapsAndWrittenExifIsUpright(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let original = Self.everything.data(isLittleEndian: seed.isMultiple(of: 2))
        for _ in 0..<50 {
            var data = original.prefix(Int.random(in: 8...original.count, using: &random))
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let extreme: UInt8 = Bool.random(using: &random) ? 0xFF : 0x7F
                let value = Bool.random(using: &random) ? extreme : UInt8.random(in: 0...255, using: &random)
                data[Int.random(in: data.indices, using: &random)] = value
            }
            let exif = Exif(data)
            guard let written = exif.written() else { continue }
            #expect(written.orientation == .up)
            // The directories may overlap, but values may not.
            #expect(written.data.count <= 4 * exif.data.count)
        }
    }

    @Test func hugeDirectoriesAreReadUpToALimit() {
        let filler = [TIFFBuilder.Entry](repeating: .short(7, 7), count: 1024)
        #expect(Exif(TIFFBuilder(main: filler + [.short(0x0112, 6)]).data(isLittleEndian: true)).orientation == .up)
        let reached = filler.dropLast() + [.short(0x0112, 6)]
        #expect(Exif(TIFFBuilder(main: Array(reached)).data(isLittleEndian: true)).orientation == .right)
    }

    @Test func onlyTheBytesAreEncoded() throws {
        let exif = Exif(Self.everything.data(isLittleEndian: false))
        let coded = try JSONEncoder().encode(exif)
        #expect(try JSONDecoder().decode(Exif.self, from: coded) == exif)
        let fields = try #require(try JSONSerialization.jsonObject(with: coded) as? [String: Any])
        #expect(Array(fields.keys) == ["data"])
    }
}

extension Exif {
    /// The Exif that an encoder writes for a picture of `size`.
    func written(size: PixelSize = PixelSize(3, 2)) -> Exif? {
        var info = ImageInfo(format: .png, storedSize: size)
        info.exif = self
        let bitmap = try? Bitmap(size, hasAlpha: false) { _ in }
        guard let image = bitmap.map({ Image(info: info, bitmap: $0) }) else { return nil }
        return EncodeRequest(image: image, format: .png, context: ImageContext { $0.keepsMetadata = true }).exif
    }
}
