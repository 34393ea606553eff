import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

/// A cache in a folder with foreign files, even in subfolders named like those of a cache.
@Suite struct ForeignFileTests {
    private let folder: TemporaryDirectory
    private let foreign: [String: Data]

    init() throws {
        folder = try TemporaryDirectory()
        let digest = "0123456789abcdef0123456789abcdef"
        let names = [
            "IMG_0001.jpg", ".keep", ".12", ".0123456789abcdef", "\(digest.uppercased()).jpg", "\(digest)0.jpg",
            "\(digest).", ".\(digest).jpg",
        ]
        var foreign = ["usage": Data(repeating: 7, count: 5000)]
        for shard in [EntryName("a").shard.name, "100"] {
            for name in names { foreign["\(shard)/\(name)"] = Data(name.utf8) }
        }
        self.foreign = foreign
        for (path, data) in foreign {
            let file = folder.url.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
            try folder.age(file, access: 1 << 30, modification: 1 << 30)
        }
    }

    /// Calls every operation that removes entries or might.
    @Test func foreignFilesAreLeftAlone() async throws {
        let cache = try folder.cache(byteLimit: 5000)
        await cache.waitForOpeningScan()
        #expect(try await cache.stats().usage.count == 0)
        for index in 0..<10 { try await cache.store(DataEntry(Data(count: 1000)), for: CacheKey(source: "\(index)")) }
        try await cache.store(DataEntry(Data(count: 10)), for: "a")
        try await cache.removeAll(ofSource: "a")
        #expect(try await cache.verify().removedCount == 0)
        try await cache.trim()
        try await cache.setByteLimit(0)
        try await cache.removeAll()
        #expect(try cache.store.directory.total() == .none)
        try expectAllIsThere(at: folder.url)
    }

    @Test func folderWithForeignFilesIsNotExcludedFromBackups() async throws {
        let cache = try folder.cache()
        await cache.waitForOpeningScan()
        try await cache.store(DataEntry(Data([1])), for: "a")
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "CACHEDIR.TAG").path))
    }

    @Test func foreignFilesStayWhenTheCacheMoves() async throws {
        let cache = try folder.cache()
        await cache.waitForOpeningScan()
        try await cache.store(DataEntry(Data([1])), for: "a")
        let other = try TemporaryDirectory()
        _ = try other.cache()
        try await DiskDataCache.move(from: folder.url, to: other.url)
        try expectAllIsThere(at: folder.url)
        #expect(try other.files().count == 1)
    }

    @Test(arguments: ["0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef.a.jpg"])
    func otherNamesAreNotEntries(_ fileName: String) {
        #expect(EntryName(fileName: fileName, in: Shard(index: 1))?.fileName == fileName)
    }

    @Test func namesOfEntriesAreRecognized() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let name = EntryName(random.key())
            #expect(EntryName(fileName: name.fileName, in: name.shard) == name)
        }
        for _ in 0..<500 { #expect(TemporaryName(TemporaryName().text) != nil) }
    }

    private func expectAllIsThere(at url: URL) throws {
        for (path, data) in foreign {
            let file = url.appending(path: path)
            #expect(FileManager.default.fileExists(atPath: file.path), "\(path)")
            #expect((try? Data(contentsOf: file)) == data, "\(path)")
        }
    }
}
