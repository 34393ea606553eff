import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

@Suite struct DamageTests {
    private let folder: TemporaryDirectory
    private let cache: DiskDataCache
    private let key = CacheKey(source: "a.png", variant: ["B"])
    private let entry = DataEntry(Data("not much of a picture".utf8), metadata: EntryRecordTests.full)

    init() throws {
        folder = try TemporaryDirectory()
        cache = try folder.cache()
        try cache.store.store(entry, for: key)
    }

    @Test(arguments: [0x01, 0x80, 0xFF] as [UInt8]) func everyChangedByteIsAMiss(_ mask: UInt8) throws {
        let whole = try Data(contentsOf: folder.file(of: key))
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= mask
            try checkIsMiss(damaged)
        }
    }

    @Test func everyTruncationIsAMiss() throws {
        let whole = try Data(contentsOf: folder.file(of: key))
        for count in whole.indices { try checkIsMiss(whole.prefix(count)) }
    }

    @Test(arguments: [1, 4096]) func bytesAfterTheEndAreAMiss(_ count: Int) throws {
        try checkIsMiss(Data(contentsOf: folder.file(of: key)) + Data(repeating: 0, count: count))
    }

    /// The effect of a power failure: the length is right, but blocks are zero.
    @Test(arguments: [0, 10, 40]) func lostBlocksAreAMiss(_ start: Int) throws {
        let whole = try Data(contentsOf: folder.file(of: key))
        try checkIsMiss(whole.prefix(start) + Data(repeating: 0, count: whole.count - start))
    }

    @Test(arguments: [UInt64.max, UInt64(Int.max), 1 << 32]) func lengthsThatLieAreAMiss(_ length: UInt64) throws {
        let whole = try Data(contentsOf: folder.file(of: key))
        for offset in [20, 12] {
            var damaged = whole
            let start = whole.count - EntryFooter.byteCount + offset
            damaged.replaceSubrange(start..<(start + 8), with: length.littleEndianBytes)
            try checkIsMiss(damaged)
        }
    }

    @Test func entryUnderAWrongNameIsAMissAndStays() async throws {
        let other = CacheKey(source: "a.png", variant: ["C"])
        try FileManager.default.copyItem(at: folder.file(of: key), to: folder.file(of: other))
        #expect(try await cache.entry(for: other) == nil)
        #expect(FileManager.default.fileExists(atPath: folder.file(of: other).path))
        let found = try await cache.verify()
        #expect(found.intactCount == 1 && found.removedCount == 1)
    }

    @Test func folderInPlaceOfAnEntryIsAMiss() async throws {
        try FileManager.default.removeItem(at: folder.file(of: key))
        try FileManager.default.createDirectory(at: folder.file(of: key), withIntermediateDirectories: false)
        #expect(try await cache.contains(key) == false)
        #expect((try? await cache.entry(for: key)) == nil)
        await #expect(throws: ImageError.self) { try await cache.store(entry, for: key) }
        #expect(try folder.files().count == 1)
    }

    @Test func verifyFindsDamagedEntries() async throws {
        try await cache.store(entry, for: "b")
        var damaged = try Data(contentsOf: folder.file(of: key))
        damaged[3] ^= 1
        try damaged.write(to: folder.file(of: key))
        let byteCount = try folder.byteCount()
        #expect(try await cache.verify() == .init(intactCount: 1, removedCount: 1, byteCount: byteCount))
        let rest = try folder.byteCount()
        #expect(try await cache.verify() == .init(intactCount: 1, removedCount: 0, byteCount: rest))
    }

    /// A file is verified piece by piece.
    @Test(arguments: [0, 1, 262_143, 262_144, 600_000, 600_039]) func verifyFindsDamageInLongFiles(
        _ position: Int
    ) async throws {
        try await cache.store(DataEntry(Data(repeating: 7, count: 600_000)), for: "b")
        #expect(try await cache.verify().intactCount == 2)
        var damaged = try Data(contentsOf: folder.file(of: "b"))
        damaged[position] ^= 1
        try damaged.write(to: folder.file(of: "b"))
        let found = try await cache.verify()
        #expect(found.intactCount == 1 && found.removedCount == 1)
    }

    @Test func verifyCanBeCancelled() async throws {
        let checking = Task { [cache] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await cache.verify()
        }
        let error = await #expect(throws: ImageError.self) { try await checking.value }
        #expect(error?.kind == .cancelled)
        #expect(try await cache.stats().failureCount == 0)
    }

    @Test func removingASourceRemovesDamagedEntries() async throws {
        try Data("rubbish".utf8).write(to: folder.file(of: key))
        try await cache.removeAll(ofSource: "a.png")
        #expect(!FileManager.default.fileExists(atPath: folder.file(of: key).path))
    }

    private func checkIsMiss(_ file: Data) throws {
        try file.write(to: folder.file(of: key))
        #expect(try cache.store.entry(for: key) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.file(of: key).path))
    }
}
