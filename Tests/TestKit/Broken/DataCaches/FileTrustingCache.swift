import DarkroomCore
import FoundationEssentials
import TestSupport

/// A data cache that returns damaged files as if they were intact.
struct FileTrustingCache: DataCacheWrapper {
    let base: FolderCache

    init(_ folder: URL) { base = FolderCache(folder, .init(trustsFiles: true)) }
}
