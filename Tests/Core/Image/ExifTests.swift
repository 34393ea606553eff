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
    func uprightChangesOnlyTheOrientation(isLittleEndian: Bool) {
        let data = Self.everything.data(isLittleEndian: isLittleEndian)
        let upright = Exif(data).upright
        #expect(upright.orientation == .up)
        #expect(upright.dateTime == "2025-12-31 23:59:58")
        #expect(upright.hasLocation)
        var expected = Self.everything
        expected.main[0] = .short(0x0112, 1)
        #expect(upright.data == expected.data(isLittleEndian: isLittleEndian))
    }

    @Test func uprightHoldsForReadersOfAnyTypeOrTheLastTag() {
        let builder = TIFFBuilder(main: [.short(0x0112, 3), .long(0x0112, 8)])
        let expected = TIFFBuilder(main: [.short(0x0112, 1), .short(0x0112, 1)])
        #expect(Exif(builder.data(isLittleEndian: true)).upright.data == expected.data(isLittleEndian: true))
    }

    @Test func uprightWithoutATagChangesNothing() {
        for data in [Data(), Data("II*".utf8), TIFFBuilder(main: [.short(7, 7)]).data(isLittleEndian: true)] {
            #expect(Exif(data).upright.data == data)
            #expect(Exif(data).orientation == .up)
        }
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
        #expect(Exif(long).orientation == .right && Exif(long).upright.orientation == .up)
        var signed = long
        signed[12] = 9
        #expect(Exif(signed).orientation == .right)
        var text = long
        text[12] = 2
        #expect(Exif(text).orientation == .up)
    }

    @Test(arguments: 0..<40)
    func damageNeverTrapsAndUprightIsUpright(seed: Int) {
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
            #expect(exif.upright.orientation == .up)
            #expect(exif.upright.data.count == exif.data.count)
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
