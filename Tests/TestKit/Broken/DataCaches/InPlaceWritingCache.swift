import DarkroomCore
import FoundationEssentials
import TestSupport

/// A data cache that overwrites files in place, so that a killed process leaves half a file, which is then returned.
struct InPlaceWritingCache: DataCacheWrapper {
    let base: FolderCache

    init(_ folder: URL) { base = FolderCache(folder, .init(trustsFiles: true, writesInPlace: true)) }
}
