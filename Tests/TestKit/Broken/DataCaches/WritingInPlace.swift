import DarkroomCore
import FoundationEssentials

/// Whoever kills it while it writes leaves half a file, which it takes for a whole one.
struct WritingInPlace: NearlySoundDataCache {
    let base: FolderCache

    init(_ folder: URL) { base = FolderCache(folder, .init(trustsFiles: true, writesInPlace: true)) }
}
