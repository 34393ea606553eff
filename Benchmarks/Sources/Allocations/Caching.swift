import DarkroomCaches
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Returns suites of the caches in isolation. For memory caches, a run is a thousand uses.
func cachingSuites() -> [Suite] {
    // Many uses are misses, which evict another image.
    let memory = MemoryImageCache.Policy.allCases.map { policy in
        Suite("Memory cache, \(policy)", scale: 1000, setup: { try MemoryCacheJob(policy) }) { job, number in
            job.use(number * 7919 % 200)
        }
    }
    return memory + [
        Suite("Disk cache, store", setup: { try await DiskCacheJob() }) { job, number in try await job.store(number) },
        Suite("Disk cache, hit", setup: { try await DiskCacheJob() }) { job, _ in try await job.entry() },
    ]
}

/// A memory cache with room for a hundred images.
private struct MemoryCacheJob: Sendable {
    private let cache: MemoryImageCache
    private let image: Image
    private let keys = (0..<200).map { CacheKey(source: "https://example.com/photographs/\($0).jpg") }

    init(_ policy: MemoryImageCache.Policy) throws {
        cache = MemoryImageCache(countLimit: 100, policy: policy)
        let bitmap = try Bitmap(PixelSize(1, 1), hasAlpha: false) { _ in }
        image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
    }

    func use(_ number: Int) {
        if cache.image(for: keys[number]) == nil { cache.store(image, for: keys[number]) }
    }
}

/// A disk cache in a persistent folder, with entries of 20 KB.
private struct DiskCacheJob: Sendable {
    private let cache: DiskDataCache
    private let entry = DataEntry(Data(repeating: 7, count: 20_000))

    init() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "darkroom-allocations")
        cache = try DiskDataCache(directory: folder)
        await cache.waitForOpeningScan()
        try await store(0)
    }

    func store(_ number: Int) async throws {
        try await cache.store(entry, for: CacheKey(source: "https://example.com/\(number % 100).jpg"))
    }

    func entry() async throws -> DataEntry? {
        try await cache.entry(for: CacheKey(source: "https://example.com/0.jpg"))
    }
}
