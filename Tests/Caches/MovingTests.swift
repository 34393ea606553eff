import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

@Suite struct MovingTests {
    private let folder: TemporaryDirectory
    private let source: URL
    private let destination: URL

    init() throws {
        folder = try TemporaryDirectory()
        source = folder.url.appending(path: "old")
        destination = folder.url.appending(path: "a/b/new")
    }

    private func fill(_ url: URL, _ entries: [CacheKey: UInt8]) async throws {
        let cache = try DiskDataCache(directory: url)
        for (key, byte) in entries { try await cache.store(DataEntry(Data([byte])), for: key) }
        await cache.waitForOpeningScan()
    }

    private func entries(at url: URL) async throws -> [CacheKey: UInt8] {
        let cache = try DiskDataCache(directory: url)
        var entries: [CacheKey: UInt8] = [:]
        for key: CacheKey in ["a", "b", "c"] { entries[key] = try await cache.entry(for: key)?.data.first }
        #expect(try await cache.usage().count == entries.count)
        #expect(try cache.store.directory.total().count == entries.count)
        return entries
    }

    private func isThere(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    @Test func folderIsMovedIfTheDestinationIsMissing() async throws {
        try await fill(source, ["a": 1, "b": 2])
        try await DiskDataCache.move(from: source, to: destination)
        #expect(!isThere(source))
        #expect(try await entries(at: destination) == ["a": 1, "b": 2])
    }

    @Test func existingEntriesAtTheDestinationAreKept() async throws {
        try await fill(source, ["a": 1, "b": 2])
        try await fill(destination, ["b": 3, "c": 4])
        try await DiskDataCache.move(from: source, to: destination)
        #expect(!isThere(source))
        #expect(try await entries(at: destination) == ["a": 1, "b": 3, "c": 4])
    }

    @Test func timesOfAnEntryMoveWithIt() async throws {
        try await fill(source, ["a": 1])
        try await fill(destination, ["b": 3])
        let name = EntryName("a")
        let file = source.appending(path: name.shard.name).appending(path: name.fileName)
        try folder.age(file, access: 1000, modification: 2000)
        let old = try FileStatus(of: FilePath(text: file.path))
        try await DiskDataCache.move(from: source, to: destination)
        let moved = destination.appending(path: name.shard.name).appending(path: name.fileName)
        let new = try FileStatus(of: FilePath(text: moved.path))
        #expect(new.accessTime == old.accessTime && new.modificationTime == old.modificationTime)
    }

    @Test func fileAtTheDestinationIsReplaced() async throws {
        try await fill(source, ["a": 1])
        try FileManager.default.createDirectory(
            at: destination.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data([9]).write(to: destination)
        try await DiskDataCache.move(from: source, to: destination)
        #expect(try await entries(at: destination) == ["a": 1])
    }

    @Test func movingNothingOrOntoItselfDoesNothing() async throws {
        try await DiskDataCache.move(from: source, to: destination)
        #expect(!isThere(destination))
        try await fill(source, ["a": 1])
        try await DiskDataCache.move(from: source, to: source)
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: source)
        try await DiskDataCache.move(from: link, to: source)
        try await DiskDataCache.move(from: source, to: link)
        #expect(try await entries(at: source) == ["a": 1])
        try await DiskDataCache.move(from: source.appending(path: "darkroom-usage"), to: destination)
        #expect(!isThere(destination))
    }

    @Test func otherFilesAreNotMoved() async throws {
        try await fill(source, ["a": 1])
        try await fill(destination, ["b": 2])
        try Data([1]).write(to: source.appending(path: "notes.txt"))
        try await DiskDataCache.move(from: source, to: destination)
        #expect(isThere(source.appending(path: "notes.txt")))
        #expect(try await entries(at: destination) == ["a": 1, "b": 2])
        #expect(try await entries(at: source) == [:])
    }

    @Test func folderCannotMoveIntoItself() async throws {
        try await fill(source, ["a": 1])
        let error = await #expect(throws: ImageError.self) {
            try await DiskDataCache.move(from: source, to: source.appending(path: "x"))
        }
        #expect(error?.kind == .storage)
        #expect(try await entries(at: source) == ["a": 1])
    }
}
