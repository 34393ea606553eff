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
    static func check(of folder: CacheFolder) async -> Check {
        let url = folder.url
        guard Folder.exists(url.path) else { return check(ofMissing: url) }
        guard folder.hasCache else { return check(ofOther: url) }
        do {
            let stats = try await folder.cache().stats()
            let usage = "\(stats.usage.count) entries, \(stats.usage.byteCount.asByteCount)"
            // The limit of another folder is known only to the program that uses it.
            let limit = stats.byteLimit == .max ? "" : " of at most \(stats.byteLimit.asByteCount)"
            let finding = "\(url.path): \(usage)\(limit)"
            guard FileManager.default.isWritableFile(atPath: url.path) else {
                return Check(name: "cache", status: .note, finding: "\(finding); it can only be read")
            }
            return Check(name: "cache", finding: finding)
        } catch {
            return failure(of: url, reason: (error as? ImageError)?.message ?? "\(error)")
        }
    }

    private static func check(ofOther folder: URL) -> Check {
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            return failure(of: folder, reason: "it has no cache, and none can be created, because it is not writable")
        }
        guard Folder.names(in: folder.path)?.isEmpty == true else {
            return Check(name: "cache", status: .note, finding: "\(folder.path): has other files, and no cache")
        }
        return Check(name: "cache", finding: "\(folder.path): has no cache yet, one can be created")
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
