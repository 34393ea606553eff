import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

/// The comparison of bitmaps, and references made by another program.
@Suite struct BitmapDifferenceTests {
    private let card = Bitmap.testCard(5, 4, hasAlpha: true)

    @Test(arguments: [
        ("BGRA", "red and blue are swapped"), ("GBRA", "the channels are in the order GBRA, not RGBA"),
        ("ARGB", "the channels are in the order ARGB, not RGBA"),
    ])
    func channelOrderIsRecognized(order: String, sentence: String) throws {
        let card = Bitmap.testCard(5, 4, hasAlpha: true)
        let (bytes, names) = (card.bytes, Array("RGBA"))
        let places = order.map { names.firstIndex(of: $0) ?? 0 }
        let other = try Bitmap(
            card.size, bytes: bytes.indices.map { bytes[$0 / 4 * 4 + places[$0 % 4]] }, hasAlpha: true)
        #expect("\(try #require(other.firstDifference(from: card)))" == sentence)
    }

    @Test func firstDifferenceHasPositionAndColours() throws {
        var bytes = card.bytes
        for pixel in [7, 13] { bytes[pixel * 4 + 1] ^= 8 }
        let changed = try Bitmap(card.size, bytes: bytes)
        let (there, expected) = (changed.color(x: 2, y: 1)!, card.color(x: 2, y: 1)!)
        let difference = try #require(changed.firstDifference(from: card))
        #expect(difference == .pixel(x: 2, y: 1, there, expected: expected, count: 2))
        #expect(difference.description == "pixel (2, 1) is \(there), not \(expected); 2 pixels differ")
        #expect(changed.firstDifference(from: card, tolerance: 7) == difference)
        #expect(changed.firstDifference(from: card, tolerance: 8) == nil)
        #expect(changed.largestDifference(to: card) == 8)
    }

    @Test func sizesAndLostAlphaDiffer() throws {
        #expect(
            "\(Bitmap.testCard(4, 5).firstDifference(from: card)!)"
                == "the size is 4×5, not 5×4: width and height are swapped")
        #expect("\(Bitmap.testCard(4, 4).firstDifference(from: card)!)" == "the size is 4×4, not 5×4")
        #expect(Bitmap.testCard(5, 4).firstDifference(from: card) == .lostAlpha)
        let opaque = try Bitmap(PixelSize(1, 1), bytes: [1, 2, 3, 255])
        #expect(
            try Bitmap(PixelSize(1, 1), bytes: [1, 2, 3, 255], hasAlpha: false).firstDifference(from: opaque) == nil)
    }

    @Test(
        arguments: [
            ("RGB_ALPHA", 4, [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]),
            ("RGB", 3, [1, 2, 3, 4, 5, 6], [1, 2, 3, 255, 4, 5, 6, 255]),
            ("GRAYSCALE_ALPHA", 2, [1, 2, 3, 4], [1, 1, 1, 2, 3, 3, 3, 4]),
            ("GRAYSCALE", 1, [1, 2], [1, 1, 1, 255, 2, 2, 2, 255]),
        ] as [(String, Int, [UInt8], [UInt8])])
    func referenceIsReadFromPAM(type: String, depth: Int, samples: [UInt8], pixels: [UInt8]) throws {
        let header = "P7\n# by hand\nWIDTH 2\nHEIGHT 1\nDEPTH \(depth)\nMAXVAL 255\nTUPLTYPE \(type)\nENDHDR\n"
        let bitmap = try Bitmap(pam: Data(header.utf8) + samples)
        #expect(bitmap.size == PixelSize(2, 1) && bitmap.bytes == pixels && bitmap.hasAlpha == (depth % 2 == 0))
        #expect(throws: ImageError.self) { try Bitmap(pam: Data(header.utf8) + samples.dropLast()) }
        #expect(throws: ImageError.self) { try Bitmap(pam: Data(header.utf8).dropLast()) }
    }
}
