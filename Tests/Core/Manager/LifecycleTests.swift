@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct LifecycleTests {
    @Test func memoryPressureReachesTheImageCache() async throws {
        let box = Darkbox()
        _ = try await box.load()
        box.manager.didReceiveMemoryPressure(.warning)
        #expect(box.images.keys.count == 1)
        box.manager.didReceiveMemoryPressure(.critical)
        #expect(box.images.keys.isEmpty)
    }

    /// Such as players, which nothing else tells.
    @Test func memoryPressureReachesTheTenantsOfTheBudget() throws {
        let budget = MemoryBudget(byteLimit: 100)
        let (hoard, cache) = (Hoard(40, least: 5), TenantCache(heldByteCount: 40))
        let manager = try ImageManager {
            $0.memoryBudget = budget
            $0.imageCache = cache
        }
        budget.add(hoard)
        let held = [MemoryPressure.normal, .warning, .critical].map {
            manager.didReceiveMemoryPressure($0)
            return hoard.heldByteCount
        }
        #expect(held == [40, 20, 5])
        #expect(cache.heldByteCount == 40, "a cache responds to the pressure itself")
    }

    @Test func dataCachesAreTrimmedByTrimAndFlush() async throws {
        let (disk, originals) = (TrimmedCache(), TrimmedCache())
        let box = Darkbox {
            $0.dataCache = disk
            $0.originalCache = originals
        }
        _ = try await box.load()
        await box.manager.flush()
        #expect(originals.base.keys.count == 1, "delivered images are stored first")
        await box.manager.trim()
        #expect(disk.trims.values.count == 2 && originals.trims.values.count == 2)
    }
}

private struct TrimmedCache: DataCacheWrapper {
    let base = FakeDataCache()
    let trims = Recorder<Int>()

    func trim() async throws { trims.note(1) }
}
