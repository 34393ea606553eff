import DarkroomCore
import DarkroomItemFile
import DarkroomItemFileTestKit
import Foundation
import Testing

/// Files that are costly to open.
struct ItemFileLimitTests {
    @Test(arguments: Construction.allCases)
    func countIsLimited(_ construction: Construction) throws {
        var limits = DecodeLimits()
        limits.segmentCount = 10
        _ = try ItemFile(construction.file(10), limits: limits)
        let error = #expect(throws: ImageError.self) { try ItemFile(construction.file(11), limits: limits) }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("context.limits.segmentCount") == true)
    }

    @Test func runsOfChunksAreLimitedByTheNumberOfFrames() throws {
        var limits = DecodeLimits()
        limits.frameCount = 10
        func file(_ count: Int) -> Data { BoxBuilder.box("stbl", [runs(count)]) }
        func runs(_ count: Int) -> Data { BoxBuilder.box("stsc", version: 0, [BoxBuilder.number(count, 4)]) }
        _ = try ItemFile(file(10), limits: limits)
        let error = #expect(throws: ImageError.self) { try ItemFile(file(11), limits: limits) }
        #expect(error?.message.contains("context.limits.frameCount") == true)
    }

    @Test(arguments: [(300, 1), (10, 30)])
    func overlappingItemsAreRefused(itemCount: Int, extentCount: Int) throws {
        let file = BoxBuilder.file(
            brand: "mif1", itemCount: itemCount, extentCount: extentCount, payload: Data(count: 10_000))
        let error = #expect(throws: ImageError.self) { try ItemFile(file, limits: .default) }
        #expect(error?.kind == .corrupt)
        #expect(error?.message.contains("and their file has only \(file.count)") == true)
    }

    @Test func equalTilesMayBeStoredOnce() throws {
        let file = BoxBuilder.file(brand: "mif1", itemCount: 64, extentCount: 1, payload: Data(count: 10_000))
        _ = try ItemFile(file, limits: .default)
    }

    /// The start and the length of an extent, whose end is beyond the file, or beyond all numbers, and whether 400 of them are
    /// accepted.
    @Test(arguments: [(1_000_000, 10_000, true), (11_000, 10_000, true), (-100, 10_000, false), (0, 10_000, false)])
    func onlyReadableBytesOfExtentsAreCounted(start: Int, length: Int, isAccepted: Bool) throws {
        let extent = BoxBuilder.number(start, 8) + BoxBuilder.number(length, 8)
        let item = BoxBuilder.number(1, 2) + Data(count: 4) + BoxBuilder.number(400, 2)
        let extents = [Data](repeating: extent, count: 400)
        let locations = BoxBuilder.box(
            "iloc", version: 1, [BoxBuilder.number(0x8800, 2), BoxBuilder.number(1, 2), item] + extents)
        let file = locations + BoxBuilder.box("mdat", [Data(count: 11_000 - locations.count)])
        if isAccepted {
            _ = try ItemFile(file, limits: .default)
        } else {
            #expect(throws: ImageError.self) { try ItemFile(file, limits: .default) }
        }
    }

    @Test func numbersOfOtherSizesAreRefused() throws {
        let file = BoxBuilder.box("iloc", version: 0, [BoxBuilder.number(0x4420, 2), BoxBuilder.number(0, 2)])
        let error = #expect(throws: ImageError.self) { try ItemFile(file, limits: .default) }
        #expect(error?.kind == .corrupt)
    }

    @Test(arguments: [(1, true), (100, false)])
    func configurationIsCountedForEachItem(itemCount: Int, isAccepted: Bool) throws {
        let items = [Data](repeating: Data(count: 3), count: itemCount)
        let properties = [
            BoxBuilder.box("ipma", version: 0, [BoxBuilder.number(itemCount, 4)] + items),
            BoxBuilder.box("ipco", [BoxBuilder.box("hvcC", [Data(count: 50_000)])]),
        ]
        let file = BoxBuilder.box("meta", version: 0, [BoxBuilder.box("iprp", properties)])
        if isAccepted {
            _ = try ItemFile(file, limits: .default)
        } else {
            #expect(throws: ImageError.self) { try ItemFile(file, limits: .default) }
        }
    }
}
