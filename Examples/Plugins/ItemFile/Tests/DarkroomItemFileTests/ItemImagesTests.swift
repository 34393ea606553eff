import DarkroomCore
import DarkroomItemFile
import DarkroomItemFileTestKit
import Foundation
import Testing

/// Images that consist of others.
struct ItemImagesTests {
    private func item(_ items: [TestItem]) throws -> ItemFile {
        try ItemFile(BoxBuilder.file(brand: "heic", items: items), limits: .default)
    }

    /// Images as phones write them, with a gain map and a depth map.
    @Test(arguments: [(4_032, 3_024, 48), (8_064, 6_048, 192), (8_064, 6_048, 768)])
    func tilesOfAGridAreCounted(width: Int, height: Int, tileCount: Int) throws {
        let side = tileCount == 768 ? 256 : 512
        let tile = TestItem("hvc1", side, side)
        var maps = [TestItem("hvc1", width / 2, height / 2), TestItem("hvc1", 768, 576)]
        for index in maps.indices { maps[index].references = ["auxl": [1]] }
        let thumbnail = TestItem("hvc1", 320, 240, references: ["thmb": [1]])
        let grid = TestItem("grid", width, height, parts: Array(2..<(2 + tileCount)))
        let file = try item([grid] + [TestItem](repeating: tile, count: tileCount) + maps + [thumbnail])
        let mapPixelCount = width / 2 * (height / 2) + 768 * 576
        #expect(file.largestImage == PixelSize(width, height) && file.largestCanvas == file.largestImage)
        #expect(file.largestCodedImage == PixelSize(width / 2, height / 2))
        #expect(file.codedImageCount == tileCount + 2)
        #expect(file.decodedPixelCount == width * height + tileCount * side * side + mapPixelCount)
    }

    @Test(arguments: ["grid", "iovl"])
    func canvasMayBeLargerThanTheImage(type: String) throws {
        let whole = TestItem(type, 64, 32, canvas: (5_000, 4_000), parts: [2])
        let file = try item([whole, TestItem("hvc1", 64, 64)])
        #expect(file.largestCanvas == PixelSize(5_000, 4_000) && file.largestImage == file.largestCanvas)
        #expect(file.largestCodedImage == PixelSize(64, 64))
        #expect(file.decodedPixelCount == 20_000_000 + 64 * 64)
        try file.checkCanvas(.default)
        var limits = DecodeLimits()
        limits.pixelCount = 19_999_999
        let error = #expect(throws: ImageError.self) { try file.checkCanvas(limits) }
        #expect(error?.kind == .overLimit)
    }

    /// Numbers of two or four bytes, in the file, each in an extent of its own, or in one.
    @Test(arguments: [false, true], [false, true])
    func canvasIsReadFromTheFile(isLong: Bool, isSplit: Bool) throws {
        let byteCount = isLong ? 4 : 2
        let payload =
            Data([0, isLong ? 1 : 0, 0, 0]) + BoxBuilder.number(500, byteCount) + BoxBuilder.number(400, byteCount)
        let media = BoxBuilder.box("mdat", [payload])
        let ranges = isSplit ? (0..<payload.count).map { ($0, 1) } : [(0, payload.count)]
        let extents = ranges.map { BoxBuilder.number(8 + $0, 4) + BoxBuilder.number($1, 4) }
        let location = [1, 0, ranges.count].map { BoxBuilder.number($0, 2) }
        let locations = [BoxBuilder.number(0x4400, 2), BoxBuilder.number(1, 2)] + location + extents
        let name = BoxBuilder.number(1, 2) + BoxBuilder.number(0, 2) + Data("grid".utf8)
        let meta = [
            BoxBuilder.box("iloc", version: 0, locations),
            BoxBuilder.box("iinf", version: 0, [BoxBuilder.number(1, 2), BoxBuilder.box("infe", version: 2, [name])]),
        ]
        let file = try ItemFile(media + BoxBuilder.box("meta", version: 0, meta), limits: .default)
        #expect(file.largestCanvas == PixelSize(500, 400))
    }

    @Test func tileIsCountedForEachReference() throws {
        let grid = TestItem("grid", 80, 60, parts: [Int](repeating: 2, count: 1_000))
        let file = try item([grid, TestItem("hvc1", 80, 64)])
        #expect(file.decodedPixelCount == 80 * 60 + 1_000 * 80 * 64)
        #expect(file.codedImageCount == 1_000)
    }

    @Test func alphaChannelIsCountedWithItsImage() throws {
        let alpha = TestItem("av01", 80, 64, references: ["auxl": [1]])
        let file = try item([TestItem("av01", 80, 64), alpha, TestItem("av01", 40, 32)])
        #expect(file.decodedPixelCount == 2 * 80 * 64 && file.codedImageCount == 2)
    }

    /// Each level doubles the number of times that the tile is decoded.
    @Test func levelsAreLimited() throws {
        func nested(_ count: Int) -> [TestItem] {
            (0..<count).map { TestItem("grid", 8, 8, parts: [$0 + 2, $0 + 2]) } + [TestItem("hvc1", 8, 8)]
        }
        let file = try item(nested(7))
        #expect(file.codedImageCount == 128 && file.decodedPixelCount == 255 * 64)
        let error = #expect(throws: ImageError.self) { try item(nested(8)) }
        #expect(error?.kind == .corrupt)
    }

    @Test(arguments: ["grid", "iovl", "iden"])
    func imageOfItselfIsRefused(type: String) throws {
        var alphas = [2, 1].map { TestItem("hvc1", 8, 8, references: ["auxl": [$0]]) }
        let itself = [TestItem(type, 8, 8, parts: [1])]
        let others = [TestItem(type, 8, 8, parts: [2]), TestItem(type, 0, 0, parts: [1])]
        for items in [itself, others, alphas] {
            let error = #expect(throws: ImageError.self) { try item(items) }
            #expect(error?.kind == .corrupt)
            #expect(error?.message.contains("or of itself") == true)
        }
        alphas[0].references = [:]
        _ = try item(alphas)
    }

    @Test func canvasesInManyBoxesOfDataAreRefused() throws {
        let grids = [TestItem](repeating: TestItem("grid", 8, 8, parts: []), count: 100)
        let boxes = [Data](repeating: BoxBuilder.box("idat"), count: 100)
        let others = BoxBuilder.box("meta", version: 0, boxes)
        let file = BoxBuilder.file(brand: "heic", items: grids)
        _ = try ItemFile(file, limits: .default)
        let error = #expect(throws: ImageError.self) { try ItemFile(file + others, limits: .default) }
        #expect(error?.kind == .overLimit)
    }
}
