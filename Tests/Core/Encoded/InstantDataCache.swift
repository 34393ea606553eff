import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A data cache whose entries are all in memory.
struct InstantDataCache: DataCache {
    private let entries = Recorder<(CacheKey, DataEntry)>()

    func entryInMemory(for key: CacheKey) -> DataEntry? { entries.values.last { $0.0 == key }?.1 }
    func entry(for key: CacheKey) async throws -> DataEntry? { entryInMemory(for: key) }
    func store(_ entry: DataEntry, for key: CacheKey) async throws { entries.note((key, entry)) }
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        if let old = entryInMemory(for: key) { entries.note((key, DataEntry(old.data, metadata: metadata))) }
    }
    func contains(_ key: CacheKey) async throws -> Bool { entryInMemory(for: key) != nil }
    func remove(_ key: CacheKey) async throws {}
    func removeAll(ofSource source: String) async throws {}
    func removeAll() async throws {}
}
