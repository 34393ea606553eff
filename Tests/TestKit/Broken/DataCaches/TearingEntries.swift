import DarkroomCore
import DarkroomTestKit

/// A store is in two steps, and who reads between them sees the new bytes with the old metadata.
struct TearingEntries: NearlySoundDataCache {
    let base = FakeDataCache()

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        if let old = try await base.entry(for: key) {
            try await base.store(DataEntry(entry.data, metadata: old.metadata), for: key)
            for _ in 0..<20 { await Task.yield() }
        }
        try await base.store(entry, for: key)
    }
}
