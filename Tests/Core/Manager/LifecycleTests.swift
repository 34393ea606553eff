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
