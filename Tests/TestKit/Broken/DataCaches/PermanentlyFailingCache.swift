import DarkroomCore
import FoundationEssentials
import Synchronization
import TestSupport

/// A data cache that fails every store after the first failure.
final class PermanentlyFailingCache: DataCacheWrapper {
    struct GaveUp: Error {}

    let base: FolderCache
    private let hasFailed = Atomic(false)

    init(_ folder: URL) { base = FolderCache(folder) }

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        guard !hasFailed.load(ordering: .relaxed) else { throw GaveUp() }
        do {
            try base.store(entry, for: key)
        } catch {
            hasFailed.store(true, ordering: .relaxed)
            throw error
        }
    }
}
