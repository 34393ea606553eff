import DarkroomCore
import DarkroomSQLite
import DarkroomTestKit
import Foundation
import GRDB
import Testing

struct SQLiteDataCacheTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }
    private let key = CacheKey(
        source: "https://x/a.png", variant: ["Thumbnail({8.000000,8.000000},1)", "Flipping(1,0)"])

    @Test func cacheMeetsTheContract() async throws {
        try await DataCacheContract { try SQLiteDataCache(directory: $0) }.checkAll()
    }

    @Test func entryIsReturnedWithItsMetadata() async throws {
        let cache = try SQLiteDataCache(directory: directory.url)
        var entry = DataEntry(Data([1, 0, 2]))
        entry.metadata.info = ImageInfo(format: .png, storedSize: PixelSize(3, 4))
        entry.metadata.response = ResponseMetadata(url: URL(filePath: "/a"), status: 200, headers: ["etag": "1"])
        entry.metadata.extendedData = Data([9])
        try await cache.store(entry, for: key)
        #expect(try await cache.entry(for: key) == entry)
        #expect(try await SQLiteDataCache(directory: directory.url).entry(for: key) == entry)
    }

    @Test func similarKeysAreDistinct() async throws {
        let cache = try SQLiteDataCache(directory: directory.url)
        let keys = [
            CacheKey(source: "a"), CacheKey(source: "a\0b"), CacheKey(source: "a\0c"),
            CacheKey(source: "a", variant: [""]),
            CacheKey(source: "a", variant: ["b", "c"]), CacheKey(source: "a", variant: ["bc"]),
            CacheKey(source: "a", variant: ["1:b"]), CacheKey(source: "\u{E9}"), CacheKey(source: "e\u{301}"),
        ]
        for (index, key) in keys.enumerated() { try await cache.store(DataEntry(Data([UInt8(index)])), for: key) }
        for (index, key) in keys.enumerated() {
            #expect(try await cache.entry(for: key)?.data == Data([UInt8(index)]))
        }
    }

    @Test func leastRecentlyUsedEntryIsEvictedFirst() async throws {
        let cache = try SQLiteDataCache(directory: directory.url, byteLimit: 3500)
        for name in ["a", "b", "c"] { try await cache.store(DataEntry(Data(count: 1000)), for: CacheKey(source: name)) }
        _ = try await cache.entry(for: CacheKey(source: "a"))
        try await cache.store(DataEntry(Data(count: 1000)), for: CacheKey(source: "d"))
        #expect(try await cache.sources(among: ["a", "b", "c", "d"]) == ["a", "c", "d"])
    }

    @Test func limitAppliesInTheNextProcess() async throws {
        do {
            let cache = try SQLiteDataCache(directory: directory.url)
            for name in ["a", "b", "c"] {
                try await cache.store(DataEntry(Data(count: 1000)), for: CacheKey(source: name))
            }
        }
        let cache = try SQLiteDataCache(directory: directory.url, byteLimit: 2500)
        try await cache.store(DataEntry(Data(count: 1000)), for: CacheKey(source: "d"))
        #expect(try await cache.sources(among: ["a", "b", "c", "d"]) == ["c", "d"])
    }

    @Test func entryAboveTheLimitIsNotStored() async throws {
        let cache = try SQLiteDataCache(directory: directory.url, byteLimit: 500)
        try await cache.store(DataEntry(Data(count: 10)), for: key)
        try await cache.store(DataEntry(Data(count: 1000)), for: key)
        #expect(try await cache.entry(for: key) == nil)
        #expect(throws: ImageError.self) { try SQLiteDataCache(directory: directory.url, byteLimit: 0) }
    }

    @Test func invalidDatabaseIsSetAside() async throws {
        try Data("this is no database, whatever its name is".utf8).write(to: directory.file)
        let cache = try SQLiteDataCache(directory: directory.url)
        try await cache.store(DataEntry(Data([1])), for: key)
        #expect(try await cache.entry(for: key)?.data == Data([1]))
        #expect(FileManager.default.fileExists(atPath: directory.file.path() + ".damaged"))
    }

    @Test func damageIsAMissAndTheCacheRecovers() async throws {
        let count = 200
        do {
            let cache = try SQLiteDataCache(directory: directory.url)
            for index in 0..<count {
                try await cache.store(DataEntry(Data(count: 2000)), for: CacheKey(source: "\(index)"))
            }
            try await cache.trim()
        }
        var bytes = try Data(contentsOf: directory.file)
        for index in stride(from: 5000, to: bytes.count, by: 97) { bytes[index] ^= 0x55 }
        try bytes.write(to: directory.file)
        let cache = try SQLiteDataCache(directory: directory.url)
        for index in 0..<count {
            let entry = try? await cache.entry(for: CacheKey(source: "\(index)"))
            #expect(entry == nil || entry?.data == Data(count: 2000))
        }
        for index in 0..<3 { try? await cache.store(DataEntry(Data([UInt8(index)])), for: key) }
        #expect(try await cache.entry(for: key)?.data == Data([2]))
    }

    /// A damaged index leads to the row of another key, whose bytes are intact.
    @Test func entryOfAnotherKeyIsAMiss() async throws {
        let keys = ["a", "b"].map { CacheKey(source: $0) }
        do {
            let cache = try SQLiteDataCache(directory: directory.url)
            for key in keys { try await cache.store(DataEntry(Data(key.source.utf8)), for: key) }
        }
        try await DatabaseQueue(path: directory.file.path()).write { database in
            for (from, to) in [("a", "c"), ("b", "a"), ("c", "b")] {
                try database.execute(
                    sql: "UPDATE entry SET source = ? WHERE source = ?", arguments: [Data(to.utf8), Data(from.utf8)])
            }
        }
        let cache = try SQLiteDataCache(directory: directory.url)
        for key in keys { #expect(try await cache.entry(for: key) == nil) }
        for key in keys { #expect(try await !cache.contains(key)) }
    }

    @Test func managerFindsAStoredThumbnail() async throws {
        let bitmap = try Bitmap(PixelSize(40, 20), hasAlpha: false) { pixels in
            for index in pixels.indices { pixels[index] = 255 }
        }
        func manager() throws -> ImageManager {
            try ImageManager {
                $0.install(FakeLoader(PlainCoder.file(of: bitmap)))
                $0.install(PlainCoder())
                $0.dataCache = try SQLiteDataCache(directory: directory.url)
                $0.resultFormat = .plain
            }
        }
        let context = ImageContext {
            $0.thumbnail = .fit(10, 10)
            $0.waitsForStore = true
        }
        let url = URL(filePath: "/a.plain")
        #expect(try await manager().load(url, context: context).origin == .network)
        let again = try await manager().load(url, context: context)
        #expect(again.origin == .disk)
        #expect(again.image.size == PixelSize(10, 5))
    }
}

extension SQLiteDataCache {
    fileprivate func sources(among sources: [String]) async throws -> [String] {
        var found: [String] = []
        for source in sources where try await contains(CacheKey(source: source)) { found.append(source) }
        return found
    }
}

extension TemporaryDirectory {
    fileprivate var file: URL { url.appending(path: "images.sqlite") }
}
