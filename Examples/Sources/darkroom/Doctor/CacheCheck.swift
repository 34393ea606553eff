import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Checks whether the disk cache is usable, and what it contains.
enum CacheCheck {
    /// Checks the cache in `folder` without creating it.
    static func check(of folder: URL) async -> Check {
        guard Folder.exists(folder.path) else { return check(ofMissing: folder) }
        do {
            let stats = try await DiskDataCache(directory: folder).stats()
            let usage = "\(stats.usage.count) entries, \(stats.usage.byteCount.asByteCount)"
            let finding = "\(folder.path): \(usage) of at most \(stats.byteLimit.asByteCount)"
            guard FileManager.default.isWritableFile(atPath: folder.path) else {
                return Check(name: "cache", status: .note, finding: "\(finding); it can only be read")
            }
            return Check(name: "cache", finding: finding)
        } catch {
            return failure(of: folder, reason: (error as? ImageError)?.message ?? "\(error)")
        }
    }

    private static func check(ofMissing folder: URL) -> Check {
        var parent = folder
        while parent.path != "/", !FileManager.default.fileExists(atPath: parent.path) {
            parent = parent.deletingLastPathComponent()
        }
        guard Folder.exists(parent.path), FileManager.default.isWritableFile(atPath: parent.path) else {
            return failure(of: folder, reason: "it cannot be created, because \(parent.path) is not writable")
        }
        return Check(name: "cache", finding: "\(folder.path): does not exist yet, can be created")
    }

    private static func failure(of folder: URL, reason: String) -> Check {
        Check(name: "cache", status: .failed, finding: "\(folder.path): \(reason)")
    }
}
