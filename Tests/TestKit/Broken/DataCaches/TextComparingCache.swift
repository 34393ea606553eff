import DarkroomCore
import Synchronization

/// A data cache that compares keys as texts, so that canonically equivalent sources are equal and variants run
/// together.
final class TextComparingCache: DataCache {
    private let entries = Mutex<[String: DataEntry]>([:])

    func entry(for key: CacheKey) async throws -> DataEntry? { entries.withLock { $0[key.description] } }
    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        entries.withLock { $0[key.description] = entry }
    }
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        entries.withLock { entries in
            guard let kept = entries[key.description]?.metadata, metadata.isOfSameVersion(as: kept) else { return }
            entries[key.description]?.metadata = metadata
        }
    }
    func contains(_ key: CacheKey) async throws -> Bool { entries.withLock { $0[key.description] != nil } }
    func remove(_ key: CacheKey) async throws { entries.withLock { $0[key.description] = nil } }
    func removeAll(ofSource source: String) async throws {
        entries.withLock { entries in entries = entries.filter { !$0.key.hasPrefix(source) } }
    }
    func removeAll() async throws { entries.withLock { $0 = [:] } }
}
