import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that stores in two steps, between which readers find the new bytes with the old metadata.
struct TornEntryCache: DataCacheWrapper {
    let base = FakeDataCache()
    private let thread = WorkExecutor(name: "tearing", width: 1)

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        if let old = try await base.entry(for: key) {
            try await base.store(DataEntry(entry.data, metadata: old.metadata), for: key)
            try await thread.run {}
        }
        try await base.store(entry, for: key)
    }
}
