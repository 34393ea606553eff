import DarkroomCore
import FoundationEssentials

/// It passes over errors of writing, so that a full disk leaves half a file, which it takes for a whole one.
struct KeepingWhatDidNotFit: NearlySoundDataCache {
    let base: FolderCache

    init(_ folder: URL) { base = FolderCache(folder, .init(trustsFiles: true, writesInPlace: true)) }

    func store(_ entry: DataEntry, for key: CacheKey) async throws { try? base.store(entry, for: key) }
}
