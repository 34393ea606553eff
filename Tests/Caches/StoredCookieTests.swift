import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

/// The cookies of a stored response, which are secrets of one user.
@Suite struct StoredCookieTests {
    private static let secret = "session=hunter2"
    private let folder: TemporaryDirectory
    private let key: CacheKey = "a"
    private let entry: DataEntry

    init() throws {
        folder = try TemporaryDirectory()
        var metadata = DataEntry.Metadata()
        metadata.setCookies = [Self.secret + "; Path=/"]
        entry = DataEntry(Data([1]), metadata: metadata)
    }

    @Test func memoryKeepsThemAndCountsTheirBytes() async throws {
        let (cache, other) = (MemoryDataCache(), MemoryDataCache())
        try await cache.store(entry, for: key)
        try await other.store(DataEntry(entry.data), for: key)
        #expect(try await cache.entry(for: key)?.metadata.setCookies == entry.metadata.setCookies)
        #expect(cache.byteCount >= other.byteCount + Self.secret.utf8.count)
    }

    @Test func theyAreNeverWritten() async throws {
        let disk = try DiskDataCache(directory: folder.url)
        try await TieredDataCache([MemoryDataCache(), disk], policies: .inclusive).store(entry, for: key)
        try await disk.update(entry.metadata, for: key)
        let found = try #require(try await disk.entry(for: key))
        #expect(found.data == entry.data && found.metadata.setCookies.isEmpty)
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
            guard let contents = try? Data(contentsOf: folder.url.appending(path: name)) else { continue }
            #expect(!String(decoding: contents, as: UTF8.self).contains(Self.secret), "\(name)")
        }
        let encoded = try JSONEncoder().encode(entry.metadata)
        #expect(!String(decoding: encoded, as: UTF8.self).contains(Self.secret))
    }
}
