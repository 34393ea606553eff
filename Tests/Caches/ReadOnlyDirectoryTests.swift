import DarkroomCore
import FoundationEssentials
import Testing

@testable import DarkroomCaches

@Suite struct ReadOnlyDirectoryTests {
    private let folder: TemporaryFolder
    private let first: TemporaryFolder
    private let second: TemporaryFolder
    private let cache: DiskDataCache
    private let key = CacheKey(source: "http://assets.sbnation.com/assets/2512203/dogflops.gif")

    init() throws {
        folder = try TemporaryFolder()
        first = try TemporaryFolder()
        second = try TemporaryFolder()
        let missing = first.url.appending(path: "missing")
        cache = try folder.cache(readOnlyDirectories: [missing, first.url, second.url])
    }

    @Test(arguments: ["4ad9ae8eabfec60b40bf48f0bfc2d120", "4ad9ae8eabfec60b40bf48f0bfc2d120.gif"])
    func plainPicturesAreFoundByName(_ name: String) async throws {
        try Data("GIF89a".utf8).write(to: second.url.appending(path: name))
        #expect(try await cache.entry(for: key)?.data == Data("GIF89a".utf8))
        #expect(try await cache.entry(for: "http://assets.sbnation.com/other.gif") == nil)
    }

    @Test func theOrderIsThatOfTheList() async throws {
        try Data([2]).write(to: second.url.appending(path: key.fileName))
        try Data([1]).write(to: first.url.appending(path: key.fileName))
        #expect(try await cache.entry(for: key)?.data == Data([1]))
        try await cache.store(DataEntry(Data([0])), for: key)
        #expect(try await cache.entry(for: key)?.data == Data([0]))
    }

    @Test func nothingButReadingReachesThem() async throws {
        try Data([1]).write(to: first.url.appending(path: key.fileName))
        #expect(try await !cache.contains(key))
        try await cache.remove(key)
        try await cache.removeAll(ofSource: key.source)
        try await cache.removeAll()
        try await cache.update(.init(), for: key)
        #expect(try await cache.usage() == .init())
        #expect(try await cache.entry(for: key)?.data == Data([1]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: first.url.path) == [key.fileName])
    }
}
