import DarkroomCore
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

@Suite struct DiskFailureTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func folderThatCannotBeCreatedIsAnError() throws {
        let file = folder.url.appending(path: "file")
        try Data().write(to: file)
        for url in [file, file.appending(path: "below")] {
            let error = #expect(throws: ImageError.self) { try DiskDataCache(directory: url) }
            #expect(error?.kind == .storage)
            #expect(error?.message.contains(file.path) == true)
        }
    }

    @Test(.bounded) func aLinkInPlaceOfTheCountsIsAnError() throws {
        let target = folder.url.appending(path: "target")
        try Data([1, 2, 3]).write(to: target)
        let url = folder.url.appending(path: "cache")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            at: url.appending(path: "darkroom-usage"), withDestinationURL: target)
        let error = #expect(throws: ImageError.self) { try DiskDataCache(directory: url) }
        #expect(error?.kind == .storage)
        #expect(try Data(contentsOf: target) == Data([1, 2, 3]))
    }

    @Test func foldersAreAccessibleOnlyToTheirOwner() throws {
        let url = folder.url.appending(path: "a/b/c")
        _ = try DiskDataCache(directory: url)
        var status = stat()
        unsafe stat(url.path, &status)
        #expect(status.st_mode & 0o777 == 0o700)
    }

    @Test func deletedFolderIsAMissAndIsCreatedAgain() async throws {
        let cache = try folder.cache()
        try await cache.store(DataEntry(Data([1])), for: "a")
        await cache.waitForOpeningScan()
        try FileManager.default.removeItem(at: folder.url)
        #expect(try await cache.entry(for: "a") == nil)
        #expect(try await !cache.contains("a"))
        try await cache.store(DataEntry(Data([2])), for: "a")
        #expect(try await cache.entry(for: "a")?.data == Data([2]))
        #expect(try cache.store.directory.total() == .init(byteCount: folder.byteCount(), count: 1))
        #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "CACHEDIR.TAG").path))
    }

    @Test func removingFromADeletedFolderDoesNothing() async throws {
        let cache = try folder.cache()
        try await cache.store(DataEntry(Data([1])), for: "a")
        await cache.waitForOpeningScan()
        try FileManager.default.removeItem(at: folder.url)
        try await cache.remove("a")
        try await cache.removeAll(ofSource: "a")
        try await cache.removeAll()
        try await cache.trim()
        #expect(try await cache.usage() == .init())
        #expect(try await cache.verify() == .init())
        #expect(!FileManager.default.fileExists(atPath: folder.url.path), "only a store creates it again")
    }

    @Test func folderReplacedWithAFileIsAnError() async throws {
        let cache = try folder.cache()
        await cache.waitForOpeningScan()
        try FileManager.default.removeItem(at: folder.url)
        try Data().write(to: folder.url)
        let error = await #expect(throws: ImageError.self) { try await cache.store(DataEntry(Data([1])), for: "a") }
        #expect(error?.kind == .storage)
        #expect(try await cache.entry(for: "a") == nil)
    }

    #if os(Linux)
        /// A limit on file sizes fails in the middle of a write, like a full disk.
        @Test func failedWriteLeavesOnlyTheOldEntry() async throws {
            await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
                let cache = try DiskDataCache(directory: URL(filePath: path, directoryHint: .isDirectory))
                try await cache.store(DataEntry(Data([1])), for: "a")
                await cache.waitForOpeningScan()
                ProcessLimit.fileByteCount(100_000).set()
                let error = await #expect(throws: ImageError.self) {
                    try await cache.store(DataEntry(Data(count: 200_000)), for: "a")
                }
                precondition(error?.kind == .storage)
                let data = try await cache.entry(for: "a")?.data
                precondition(data == Data([1]))
            }
            #expect(try folder.files().count == 1)
            let cache = try folder.cache()
            #expect(try cache.store.directory.total() == .init(byteCount: folder.byteCount(), count: 1))
        }
    #endif
}
