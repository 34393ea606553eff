import DarkroomCaches
import DarkroomCore
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import Testing

/// The caches of this package fulfil their contract.
@Suite struct SoundCacheTests {
    static let disk = DataCacheContract { try DiskDataCache(directory: $0) }

    @Test func diskCachePasses() async throws { try await Self.disk.checkAll() }

    @Test func diskCacheSurvivesFaults() async throws {
        try await Self.disk.checkFaults(processCount: 2) { child in await Self.runDisk(child) }
    }

    @Test func fakeDataCachePasses() async throws {
        try await DataCacheContract(persists: false) { _ in FakeDataCache() }.checkAll()
    }

    @Test func tieredCachePasses() async throws {
        try await DataCacheContract { folder in
            TieredDataCache([
                try DiskDataCache(directory: folder.appending(path: "upper")),
                try DiskDataCache(directory: folder.appending(path: "lower")),
            ])
        }.checkReopening()
        try await DataCacheContract(persists: false) { _ in TieredDataCache([FakeDataCache(), FakeDataCache()]) }
            .checkAll()
    }

    static let imageCaches: [@Sendable () -> any ImageCache] = [
        { MemoryImageCache() }, { MemoryImageCache(policy: .leastRecentlyUsed) },
        { MemoryImageCache(keepsWeakReferences: true) }, { FakeImageCache() },
        { TieredImageCache([MemoryImageCache(), FakeImageCache()]) },
    ]

    @Test(arguments: imageCaches.indices) func imageCachesPass(_ index: Int) async throws {
        try await ImageCacheContract(Self.imageCaches[index]).checkAll()
    }

    private static func runDisk(_ child: DataCacheContract.Child) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as DataCacheContract.Child] in
            await SoundCacheTests.disk.run(child)
        }
    }
}
