import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache that truncates keys to the length of a file name.
struct KeyTruncatingCache: DataCacheWrapper {
    let base = FakeDataCache()

    private func cut(_ key: CacheKey) -> CacheKey {
        CacheKey(source: String(key.source.prefix(255)), variant: key.variant.map { String($0.prefix(255)) })
    }

    func entry(for key: CacheKey) async throws -> DataEntry? { try await base.entry(for: cut(key)) }
    func store(_ entry: DataEntry, for key: CacheKey) async throws { try await base.store(entry, for: cut(key)) }
    func contains(_ key: CacheKey) async throws -> Bool { try await base.contains(cut(key)) }
}
