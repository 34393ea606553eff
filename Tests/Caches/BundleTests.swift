import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite struct BundleTests {
    private let folder: TemporaryDirectory
    private let first: TemporaryDirectory
    private let second: TemporaryDirectory
    private let bundle: BundleDataCache
    private let url = URL(string: "http://assets.sbnation.com/assets/2512203/dogflops.gif")!
    private var key: CacheKey { CacheKey(source: url.absoluteString) }

    init() throws {
        folder = try TemporaryDirectory()
        first = try TemporaryDirectory()
        second = try TemporaryDirectory()
        let missing = first.url.appending(path: "missing")
        bundle = BundleDataCache(directories: [missing, first.url, second.url], byteLimit: 100_000)
    }

    @Test(arguments: ["4ad9ae8eabfec60b40bf48f0bfc2d120", "4ad9ae8eabfec60b40bf48f0bfc2d120.gif"])
    func imageFilesAreFoundByName(_ name: String) async throws {
        try Data("GIF89a".utf8).write(to: second.url.appending(path: name))
        let entry = try #require(try await bundle.entry(for: key))
        #expect(entry.data == Data("GIF89a".utf8))
        #expect(entry.metadata.original == nil && entry.metadata.response == nil)
        #expect(try await bundle.contains(key))
        #expect(try await bundle.entry(for: "http://assets.sbnation.com/other.gif") == nil)
        #expect(try await !bundle.contains("http://assets.sbnation.com/other.gif"))
    }

    @Test func directoriesAreSearchedInOrder() async throws {
        try Data([2]).write(to: second.url.appending(path: key.fileName))
        try Data([1]).write(to: first.url.appending(path: key.fileName))
        #expect(try await bundle.entry(for: key)?.data == Data([1]))
    }

    @Test func closureMayNameTheFile() async throws {
        let file = first.url.appending(path: "anything")
        try Data([1]).write(to: file)
        let bundle = BundleDataCache { $0.source == "a" ? file : nil }
        #expect(try await bundle.entry(for: "a")?.data == Data([1]))
        #expect(try await bundle.entry(for: "b") == nil)
    }

    @Test func storingAndRemovingDoNothing() async throws {
        try Data([1]).write(to: first.url.appending(path: key.fileName))
        try await bundle.store(DataEntry(Data([2])), for: key)
        try await bundle.update(.init(), for: key)
        try await bundle.remove(key)
        try await bundle.removeAll(ofSource: key.source)
        try await bundle.removeAll()
        try await bundle.trim()
        #expect(try await bundle.entry(for: key)?.data == Data([1]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: first.url.path) == [key.fileName])
    }

    @Test func otherFilesAreMisses() async throws {
        try Data(count: 100_001).write(to: first.url.appending(path: key.fileName))
        let folder = second.url.appending(path: key.fileName)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        #expect(try await bundle.entry(for: key) == nil)
        #expect(try await !bundle.contains(key))
    }

    @Test func diskIsSearchedBeforeTheBundle() async throws {
        try Data([1]).write(to: first.url.appending(path: key.fileName))
        let disk = try folder.cache()
        let cache = TieredDataCache([disk, bundle])
        #expect(try await cache.entry(for: key)?.data == Data([1]))
        try await cache.store(DataEntry(Data([2])), for: key)
        #expect(try await cache.entry(for: key)?.data == Data([2]))
        try await cache.remove(key)
        #expect(try await cache.entry(for: key)?.data == Data([1]))
        #expect(try await disk.usage().count == 0)
    }

    @Test func bundledImageNeedsNoLoader() async throws {
        try picture.write(to: first.url.appending(path: key.fileName))
        let loader = FakeLoader { _ in throw ImageError(.network, .load, "there is no network") }
        let result = try await manager(loader, bundle).load(url)
        #expect(result.origin == .disk)
        #expect(!result.isStale)
        #expect(loader.requests.isEmpty)
    }

    /// A broken bundled image cannot be removed, and must not be retried forever.
    @Test(arguments: [false, true]) func brokenBundledImageIsLoadedInstead(_ hasDisk: Bool) async throws {
        try Data("no picture".utf8).write(to: first.url.appending(path: key.fileName))
        let loader = FakeLoader(picture)
        let cache: any DataCache = hasDisk ? TieredDataCache([try folder.cache(), bundle]) : bundle
        let manager = manager(loader, cache)
        #expect(try await manager.load(url).origin == .network)
        #expect(loader.requests.count == 1)
        await manager.waitForStores()
        #expect(try await manager.load(url).origin == (hasDisk ? .disk : .network))
        #expect(loader.requests.count == (hasDisk ? 1 : 2))
    }

    @Test func imageBrokenInTheBundleAndAtItsOriginFailsOnce() async throws {
        try Data("no picture".utf8).write(to: first.url.appending(path: key.fileName))
        let loader = FakeLoader(Data("no picture either".utf8))
        await #expect(throws: ImageError.self) { try await manager(loader, bundle).load(url) }
        #expect(loader.requests.count == 1)
    }

    private func manager(_ loader: FakeLoader, _ cache: any DataCache) -> ImageManager {
        try! ImageManager {
            $0.loaders = [loader]
            $0.coders = CoderRegistry([PlainCoder()])
            $0.dataCache = cache
        }
    }

    private var picture: Data { PlainCoder.file(of: Bitmap(2, 2) { _, _ in .white }) }
}
