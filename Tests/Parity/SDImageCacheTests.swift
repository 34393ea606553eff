import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// `SDImageCache`, `SDMemoryCache`, `SDDiskCache` and `SDImageCacheConfig`.
@Suite(.bounded)
struct SDImageCacheTests {
    private let key = CacheKey(source: "https://example.com/a.png")

    @Test func storedImageIsFoundInMemoryUntilItIsRemoved() {
        let cache = MemoryImageCache()
        cache.store(picture(.testCard(4, 4)), for: key)
        #expect(cache.image(for: key)?.size == PixelSize(4, 4) && cache.contains(key))
        cache.remove(key)
        #expect(cache.image(for: key) == nil && !cache.contains(key))
    }

    @Test func maxMemoryCountEvicts() {
        let cache = MemoryImageCache()
        cache.countLimit = 2
        for index in 0..<5 { cache.store(picture(.testCard(2, 2)), for: CacheKey(source: "\(index)")) }
        #expect(cache.count == 2)
    }

    @Test func memoryWarningEmptiesMemoryAndKeepsWeakReferencesToShownImages() {
        let cache = MemoryImageCache(keepsWeakReferences: true)
        let shown = picture(.testCard(4, 4))
        cache.store(shown, for: key)
        cache.respond(to: .critical)
        #expect(cache.count == 0)
        #expect(cache.image(for: key)?.bitmap == shown.bitmap)
    }

    @Test func bytesSurviveOnDisk() async throws {
        let folder = try TemporaryDirectory()
        let data = Data([1, 2, 3])
        try await DiskDataCache(directory: folder.url).store(DataEntry(data), for: key)
        let reopened = try DiskDataCache(directory: folder.url)
        #expect(try await reopened.entry(for: key)?.data == data)
        #expect(try await reopened.contains(key))
        #expect(try await reopened.usage().count == 1)
        try await reopened.removeAll()
        #expect(try await reopened.entry(for: key) == nil)
    }

    @Test func extendedDataIsStoredBesideTheBytes() async throws {
        let folder = try TemporaryDirectory()
        let cache = try DiskDataCache(directory: folder.url)
        var entry = DataEntry(Data([1]))
        entry.metadata.extendedData = Data("extended".utf8)
        try await cache.store(entry, for: key)
        #expect(try await cache.entry(for: key)?.metadata.extendedData == Data("extended".utf8))
        try await cache.store(DataEntry(Data([2])), for: key)
        #expect(try await cache.entry(for: key)?.metadata.extendedData == nil, "overwriting drops it")
    }

    @Test func oldFilesAreDeletedToHalfOfTheLimitIfItIsExceeded() async throws {
        let folder = try TemporaryDirectory()
        let cache = try DiskDataCache(directory: folder.url, byteLimit: 10_000)
        for index in 0..<8 { try await cache.store(DataEntry(Data(count: 1000)), for: CacheKey(source: "\(index)")) }
        try await cache.trim()
        #expect(try await cache.usage().count == 8, "more than half of the limit")
        let smaller = try DiskDataCache(directory: folder.url, byteLimit: 7000)
        try await smaller.trim()
        #expect(try await smaller.usage().count == 3)
    }

    @Test func directoryCanBeMoved() async throws {
        let folder = try TemporaryDirectory()
        let (old, new) = (folder.url.appending(path: "old"), folder.url.appending(path: "new"))
        try await DiskDataCache(directory: old).store(DataEntry(Data([1])), for: key)
        try await DiskDataCache.move(from: old, to: new)
        #expect(try await DiskDataCache(directory: new).entry(for: key)?.data == Data([1]))
    }

    @Test func additionalPathIsAskedAfterTheDisk() async throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(Data([7]), to: "bundled.png")
        let disk = try DiskDataCache(directory: folder.url.appending(path: "disk"))
        let cache = TieredDataCache([disk, BundleDataCache { [key] in $0 == key ? file : nil }])
        #expect(try await cache.entry(for: key)?.data == Data([7]))
        try await disk.store(DataEntry(Data([8])), for: key)
        #expect(try await cache.entry(for: key)?.data == Data([8]))
    }

    @Test func diskFileNameIsTheDigestOfTheKeyWithItsExtension() {
        for (source, name) in [
            ("https://placehold.co/50x50.jpg", "e9936aba8d7f7fcca7813d72290de957.jpg"),
            ("TestImageKey.jpg", "f77fd0b2d2c9780cce3b1cf4f047030a.jpg"),
            ("https://example.com/photos/IMG.JPG?v=2", "f32d5110be21acd8a3a7b8cd6935a67f.JPG"),
        ] {
            #expect(CacheKey(source: source).fileName == name)
        }
    }

    @Test func queryCacheTypeChoosesTheTier() async throws {
        let studio = try Studio()
        _ = try await studio.load()
        let disk = try await studio.load {
            $0.cacheUse = .cacheOnly
            $0.cachePolicy.query = .disk
        }
        #expect(disk.origin == .disk && disk.encodedData == Studio.file)
    }

    @Test func storeCacheTypeMemoryKeepsAResultOffTheDisk() async throws {
        let studio = try Studio()
        _ = try await studio.load {
            $0.cachePolicy.store = .memory
            $0.cachePolicy.originalStore = .none
        }
        #expect(studio.images.keys.count == 1 && studio.data.keys.isEmpty)
    }

    @Test func originalCacheHasTheOriginalOfATransformedImage() async throws {
        let (studio, data) = (try Studio(), FakeDataCache())
        let context: @Sendable (inout ImageContext) -> Void = {
            $0.transformers = [.flip(horizontal: true)]
            $0.originalCache = data
            $0.cachePolicy.originalQuery = .all
            $0.cachePolicy.originalStore = .all
        }
        _ = try await studio.load(context)
        let (original, result) = (try #require(studio.key()), try #require(studio.key(context)))
        #expect(data.keys == [original] && studio.data.keys == [result])
        #expect(studio.images.keys == [original, result])
        studio.images.remove(result)
        try await studio.data.removeAll()
        #expect(try await studio.load(context).origin == .memory, "made from the decoded original")
        #expect(studio.origin.requests.count == 1)
    }

    @Test func cacheSerializerChoosesTheBytesOnDisk() async throws {
        struct Reversing: CacheSerializer {
            func data(for image: Image?, encoded: Data?, url: URL) -> Data? {
                image.map { PlainCoder.file(of: $0.bitmap) + Data("!".utf8) }
            }
        }
        let studio = try Studio()
        _ = try await studio.load { $0.serializer = Reversing() }
        #expect(try await studio.data.entry(for: try #require(studio.key()))?.data == Studio.file + Data("!".utf8))
    }

    @Test func imageOfTheAppIsFoundInMemoryAndOnDisk() async throws {
        let (studio, file) = (try Studio(), PlainCoder.file(of: .testCard(4, 4)))
        try await studio.manager.store(picture(.testCard(4, 4)), for: Studio.url, encoded: file)
        #expect(studio.manager.cachedImage(for: Studio.url)?.bitmap == .testCard(4, 4))
        let disk = try await studio.load { $0.cachePolicy.query = .disk }
        #expect(disk.origin == .disk && disk.encodedData == file && studio.origin.requests.isEmpty)
        try await studio.manager.store(picture(.testCard(2, 2)), for: Studio.url)
        let encoded = try await studio.load { $0.cachePolicy.query = .disk }
        #expect(encoded.image.bitmap == .testCard(2, 2), "without bytes, the image is encoded")
    }

    @Test func storeCacheTypeAlsoAppliesToAnImageOfTheApp() async throws {
        let studio = try Studio()
        let context = ImageContext {
            $0.cachePolicy.store = .memory
            $0.cachePolicy.originalStore = .none
        }
        try await studio.manager.store(picture(.testCard(4, 4)), for: Studio.url, context: context)
        #expect(studio.images.keys.count == 1 && studio.data.keys.isEmpty)
    }

    @Test func removalForOneURLRemovesTheOriginalAndAllVariants() async throws {
        let studio = try Studio()
        _ = try await studio.load()
        _ = try await studio.load { $0.thumbnail = .fit(6, 6) }
        try await studio.manager.removeAll(of: Studio.url)
        #expect(studio.images.keys.isEmpty && studio.data.keys.isEmpty)
    }
}

/// `SDImageCachesManager`.
struct SDImageCachesManagerTests {
    private let key = CacheKey(source: "https://example.com/a.png")

    @Test func queryIsSerialAndStoresGoToTheHighestCacheOnly() async throws {
        let (upper, lower) = (FakeDataCache(), FakeDataCache())
        let caches = TieredDataCache([upper, lower])
        try await lower.store(DataEntry(Data([1])), for: key)
        #expect(try await caches.entry(for: key)?.data == Data([1]))
        #expect(upper.keys.isEmpty, "a hit of a lower cache is not copied")
        try await caches.store(DataEntry(Data([2])), for: key)
        #expect(try await caches.entry(for: key)?.data == Data([2]))
        #expect(try await lower.entry(for: key)?.data == Data([1]))
    }

    @Test func removalVisitsAllCaches() async throws {
        let (upper, lower) = (FakeDataCache(), FakeDataCache())
        for cache in [upper, lower] { try await cache.store(DataEntry(Data([1])), for: key) }
        try await TieredDataCache([upper, lower]).remove(key)
        #expect(upper.keys.isEmpty && lower.keys.isEmpty)
    }

    @Test func withoutCachesEverythingIsAMiss() async throws {
        let caches = TieredDataCache([])
        try await caches.store(DataEntry(Data([1])), for: key)
        #expect(try await caches.entry(for: key) == nil)
        #expect(try await !caches.contains(key))
    }
}
