import DarkroomCore
import DarkroomItemFile
import DarkroomItemFileTestKit
import Foundation
import Testing

struct ItemFileTests {
    /// A property with a size of 64×32.
    private static let size = BoxBuilder.box("ispe", version: 0, [BoxBuilder.number(64, 4), BoxBuilder.number(32, 4)])

    private func item(_ data: Data) throws -> ItemFile { try ItemFile(data, limits: .default) }

    /// Properties in a box that has its size in eight bytes, extends to the end, is cut, or follows one of an invalid size.
    private static let headers: [(start: Data, size: PixelSize)] = [
        (BoxBuilder.number(1, 4) + Data("ipco".utf8) + BoxBuilder.number(16 + size.count, 8), PixelSize(64, 32)),
        (BoxBuilder.number(0, 4) + Data("ipco".utf8), PixelSize(64, 32)),
        (BoxBuilder.number(1_000, 4) + Data("ipco".utf8), PixelSize(64, 32)),
        (BoxBuilder.number(4, 4) + Data("free".utf8), PixelSize(0, 0)),
    ]

    @Test(arguments: headers)
    func boxesOfAllSizesAreRead(start: Data, size: PixelSize) throws {
        #expect(try item(start + Self.size).largestImage == size)
        #expect(try item((Data([1, 2, 3]) + start + Self.size).dropFirst(3)).largestImage == size)
    }

    @Test func largestImageIsFound() throws {
        let sizes = [(30, 20), (4_000, 3_000), (5_000, 10)].map { width, height in
            BoxBuilder.box("ispe", version: 0, [BoxBuilder.number(width, 4), BoxBuilder.number(height, 4)])
        }
        let properties = BoxBuilder.box("iprp", [BoxBuilder.box("ipco", sizes)])
        let file = BoxBuilder.box("meta", version: 0, [properties])
        #expect(try item(file).largestImage == PixelSize(4_000, 3_000))
    }

    @Test(arguments: [
        (2, "mime", "XMP\0application/rdf+xml\0deflate\0", true), (3, "mime", "\0text/plain\0deflate\0", true),
        (2, "mime", "XMP\0application/rdf+xml\0\0", false), (2, "mime", "XMP\0application/rdf+xml\0", false),
        (2, "mime", "", false), (2, "Exif", "\0text/plain\0deflate\0", false),
    ])
    func compressedItemsAreFound(version: Int, type: String, texts: String, isCompressed: Bool) throws {
        let id = BoxBuilder.number(1, version == 2 ? 2 : 4)
        let entry = BoxBuilder.box(
            "infe", version: version, [id, BoxBuilder.number(0, 2), Data(type.utf8), Data(texts.utf8)])
        let file = BoxBuilder.box("meta", version: 0, [BoxBuilder.box("iinf", version: 0, [Data(count: 2), entry])])
        #expect(try item(file).hasCompressedItems == isCompressed)
    }

    @Test func startsOfAFileAreLeftToTheLibrary() throws {
        let file = BoxBuilder.file(brand: "heic", itemCount: 3, extentCount: 2, payload: Data(count: 100))
        for count in 0...file.count { _ = try item(file.prefix(count)) }
    }
}
