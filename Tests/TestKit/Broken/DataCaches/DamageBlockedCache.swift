import DarkroomCore
import FoundationEssentials
import TestSupport

/// A data cache that can be neither read nor stored to after a file was damaged.
struct DamageBlockedCache: DataCacheWrapper {
    struct Damaged: Error {}

    let base: FolderCache
    private let folder: URL

    init(_ folder: URL) {
        base = FolderCache(folder)
        self.folder = folder
    }

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        let fileCount = try FileManager.default.contentsOfDirectory(atPath: folder.path).count
        var soundCount = 0
        for number in 0..<10 where try base.contains(CacheKey(source: "\(number)")) { soundCount += 1 }
        guard soundCount == fileCount else { throw Damaged() }
        try base.store(entry, for: key)
    }
}
