import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder of a disk cache, and the limits of that.
struct CacheFolder {
    let url: URL

    /// The maximum size of all entries in bytes.
    let byteLimit: Int

    /// The time without use after which an entry is removed; `nil` for no limit.
    let ageLimit: Duration?

    private static let defaultAgeLimit = Duration.seconds(7 * 24 * 60 * 60)

    /// Creates the folder at `path`, or the default one. The cache at a path may be that of another program, whose limits are
    /// not known, so it has none but those given.
    init(_ path: String?, byteLimit: Int? = nil, ageLimit: Duration? = nil) {
        url = path.map { URL(pathAsGiven: $0, directoryHint: .isDirectory) } ?? DiskDataCache.defaultDirectory()
        self.byteLimit = byteLimit ?? (path == nil ? 1 << 30 : .max)
        self.ageLimit = ageLimit ?? (path == nil ? Self.defaultAgeLimit : nil)
    }

    /// Whether the folder has a cache. One that cannot be listed may have one.
    var hasCache: Bool {
        Folder.exists(url.path) && (Folder.names(in: url.path)?.contains("darkroom-usage") ?? true)
    }

    /// The cache; `nil` if there is none, because inspecting a folder must not make a cache of it.
    var existingCache: DiskDataCache? {
        get throws(ImageError) { hasCache ? try cache() : nil }
    }

    /// Returns the cache, which is created if necessary.
    func cache(onFailure: (@Sendable (ImageError) -> Void)? = nil) throws(ImageError) -> DiskDataCache {
        try DiskDataCache(directory: url, byteLimit: byteLimit, ageLimit: ageLimit, onFailure: onFailure)
    }
}
