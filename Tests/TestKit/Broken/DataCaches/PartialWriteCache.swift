import DarkroomCore
import FoundationEssentials
import TestSupport

/// A data cache that ignores write errors, so that a full disk leaves half a file, which is then returned.
struct PartialWriteCache: DataCacheWrapper {
    let base: FolderCache

    init(_ folder: URL) { base = FolderCache(folder, .init(trustsFiles: true, writesInPlace: true)) }

    func store(_ entry: DataEntry, for key: CacheKey) async throws { try? base.store(entry, for: key) }
}
