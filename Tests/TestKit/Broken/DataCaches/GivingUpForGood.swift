import DarkroomCore
import FoundationEssentials
import Synchronization

/// After one failure it never tries again.
final class GivingUpForGood: NearlySoundDataCache {
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
