import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// The requirements of the scrolling list that concern the disk; `Tests/Targets` contains the others.
@MainActor
@Suite(.bounded)
struct ScrollingListOnDiskTests {
    private let fixture = Fixture("png-rgb-8.png")
    private let urls = ["http://example.com/a/cat.png", "http://example.com/b/cat.png?size=1"].map { URL(string: $0)! }

    private static let offline = FakeLoader { _ in throw ImageError(.network, .load, "unreachable") }

    @Test func point07EntriesServeAfterARestartWithoutNetwork() async throws {
        let folder = try TemporaryDirectory()
        let other = Fixture("png-rgba-8.png")
        let online = try ImageManager.standard(cacheDirectory: folder.url) { [urls, fixture] in
            $0.install(
                FakeLoader { request in
                    LoadResponse(.data(request.url == urls[0] ? fixture.data : other.data))
                })
        }
        var bitmaps: [Bitmap] = []
        for url in urls { bitmaps.append(try await online.load(url).image.bitmap) }
        await online.waitForStores()
        #expect(bitmaps[0] != bitmaps[1])

        let restarted = try ImageManager.standard(cacheDirectory: folder.url) { $0.install(Self.offline) }
        for (url, bitmap) in zip(urls, bitmaps) {
            let row = Row(restarted)
            #expect(try await row.load(url).get().origin == .disk)
            #expect(row.image?.bitmap == bitmap, "the whole URL names the entry")
        }
    }

    @Test func point09ClearingMemoryKeepsTheDisk() async throws {
        let folder = try TemporaryDirectory()
        let memory = MemoryImageCache()
        let manager = try ImageManager.standard(cacheDirectory: folder.url) { [fixture] in
            $0.imageCache = memory
            $0.install(FakeLoader(fixture.data))
        }
        let row = Row(manager)
        _ = try await row.load(urls[0]).get()
        await manager.waitForStores()
        memory.removeAll()
        #expect(memory.count == 0)
        #expect(try await row.load(urls[0]).get().origin == .disk)
        #expect(try await row.load(urls[0]).get().origin == .memory)
    }

    @Test func point09TrimRemovesExpiredEntriesAndShrinksTheRestAboveTheLimit() async throws {
        let folder = try TemporaryDirectory()
        let cache = try DiskDataCache(directory: folder.url)
        #expect(cache.ageLimit == .seconds(7 * 24 * 60 * 60))
        let keys = (0..<6).map { CacheKey(source: "http://example.com/\($0).png") }
        for key in keys { try await cache.store(DataEntry(Data(count: 1000)), for: key) }
        for (index, key) in keys.enumerated() { try setLastUse(of: key, in: folder.url, secondsAgo: 600 - index * 60) }
        try setLastUse(of: keys[5], in: folder.url, secondsAgo: 8 * 24 * 60 * 60)
        try await cache.setByteLimit(8000)
        try await cache.trim()
        #expect(try await cache.usage() == .init(count: 5, byteCount: 5000), "more than half of the limit")
        #expect(try await !cache.contains(keys[5]))

        let smaller = try DiskDataCache(directory: folder.url, byteLimit: 5000)
        try await smaller.trim()
        var left: [Int] = []
        for (index, key) in keys.enumerated() where try await smaller.contains(key) { left.append(index) }
        #expect(!left.isEmpty && left == Array((5 - left.count)..<5), "the oldest go first")
        #expect(try await smaller.usage().byteCount < 2500)
    }

    @Test func point11BundleIsReadAfterTheDiskAndBeforeTheNetwork() async throws {
        let (disk, bundle) = (FakeDataCache(), ReadOnlyCache())
        let loader = FakeLoader(fixture.data)
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(loader)
            $0.dataCache = TieredDataCache([disk, bundle])
        }
        try await bundle.base.store(DataEntry(Fixture("png-1x1.png").data), for: CacheKey(source: "\(urls[0])"))
        let row = Row(manager)
        #expect(try await row.load(urls[0]).get().origin == .disk)
        #expect(row.image?.size == PixelSize(1, 1) && loader.requests.isEmpty)

        try await disk.store(DataEntry(fixture.data), for: CacheKey(source: "\(urls[0])"))
        #expect(try await row.load(urls[0]).get().image.size != PixelSize(1, 1))
        #expect(try await row.load(urls[1]).get().origin == .network)
        await manager.waitForStores()
        #expect(bundle.base.keys.count == 1)
    }

    @Test func point11BundleFilesAreNamedByTheHashOfTheirKey() async throws {
        let (folder, bundle) = (try TemporaryDirectory(), try TemporaryDirectory())
        try fixture.data.write(to: bundle.url.appending(path: CacheKey(source: "\(urls[0])").fileName))
        let manager = try ImageManager.standard {
            $0.dataCache = TieredDataCache([
                try DiskDataCache(directory: folder.url), BundleDataCache(directories: [bundle.url]),
            ])
            $0.install(Self.offline)
        }
        #expect(try await Row(manager).load(urls[0]).get().origin == .disk)
    }

    /// Changes the last use of the file of `key` to `seconds` ago.
    private func setLastUse(of key: CacheKey, in folder: URL, secondsAgo seconds: Int) throws {
        let path = try #require(
            FileManager.default.subpathsOfDirectory(atPath: folder.path).first { $0.hasSuffix("/" + key.fileName) })
        let date = Date.now.addingTimeInterval(-Double(seconds))
        try FileManager.default.setAttributes(
            [.modificationDate: date], ofItemAtPath: folder.appending(path: path).path)
    }
}

/// A row of the list.
@MainActor
private final class Row: ImageTarget {
    let imageSlots: ImageSlots
    private(set) var image: Image?

    init(_ manager: ImageManager) { imageSlots = ImageSlots(manager) }

    func show(_ content: SlotContent, in slot: String) { image = content.image }

    func load(_ url: URL) async -> Result<LoadResult, ImageError> {
        await withCheckedContinuation { continuation in
            setImage(url) { continuation.resume(returning: $0) }
        }
    }
}

/// A read-only view of the entries in `base`.
private struct ReadOnlyCache: DataCache {
    let base = FakeDataCache()
    private let refusal = ImageError(.refused, .cache, "it is read-only")

    func entry(for key: CacheKey) async throws -> DataEntry? { try await base.entry(for: key) }
    func store(_ entry: DataEntry, for key: CacheKey) async throws { throw refusal }
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws { throw refusal }
    func contains(_ key: CacheKey) async throws -> Bool { try await base.contains(key) }
    func remove(_ key: CacheKey) async throws { throw refusal }
    func removeAll(ofSource source: String) async throws { throw refusal }
    func removeAll() async throws { throw refusal }
}
