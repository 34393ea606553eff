import DarkroomAVIF
import DarkroomCore
import DarkroomItemFileTestKit
import DarkroomTestKit
import Foundation
import Testing

private let folder = FixtureFolder(beside: #filePath)

/// Files whose AV1 streams, tiles or canvases have more pixels than the image.
struct AVIFSizeTests {
    private let registry = CoderRegistry([AVIFCoder()])

    /// libavif allocates the canvas in the bytes of the item, and not the size in its property.
    @Test(arguments: [("decodedByteCount", 7_000), ("pixelCount", 15_000)])
    func canvasIsCountedBeforeDecoding(name: String, side: Int) throws {
        let grid = TestItem("grid", 64, 64, canvas: (side, side), parts: [2, 3, 4, 5])
        let file = try avif([grid] + [TestItem](repeating: try tile(side / 2), count: 4))
        let error = #expect(throws: ImageError.self) { try registry.decode(file) }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.\(name)") == true)
    }

    /// libavif holds all tiles at once.
    @Test func tilesAreCountedTogetherBeforeDecoding() throws {
        let grid = TestItem("grid", 64, 64, parts: Array(2...901))
        let file = try avif([grid] + [TestItem](repeating: try tile(1_024), count: 900))
        let error = #expect(throws: ImageError.self) { try registry.decode(file) }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.decodedByteCount") == true)
    }

    /// libavif would decode all of it, and then scale it.
    @Test func streamLargerThanItsItemIsRefused() throws {
        var data = try folder.data(of: "gray.avif")
        let size = try #require(data.firstRange(of: BoxBuilder.number(40, 4) + BoxBuilder.number(30, 4)))
        _ = try registry.decode(data)
        data.replaceSubrange(size, with: BoxBuilder.number(20, 4) + BoxBuilder.number(15, 4))
        #expect(try registry.info(of: data).storedSize == PixelSize(20, 15))
        let error = #expect(throws: ImageError.self) { try registry.decode(data) }
        #expect(error?.kind == .corrupt)
    }

    /// Returns a tile whose property declares `side`×`side` pixels.
    private func tile(_ side: Int) throws -> TestItem {
        let configuration = BoxBuilder.firstBox("av1C", in: try folder.data(of: "gray.avif"))
        return TestItem("av01", side, side, properties: [try #require(configuration)])
    }

    /// Returns a file of images, the first of which is the primary one.
    private func avif(_ items: [TestItem]) throws -> Data {
        let media = try #require(BoxBuilder.firstBox("mdat", in: try folder.data(of: "gray.avif")))
        return BoxBuilder.file(brand: "avif", items: items, media: Data(media.dropFirst(8)))
    }
}
