import DarkroomCore
import DarkroomFiles
public import DarkroomPlatform

extension DiskDataCache {
    /// Moves a cache to another folder, which caches may use at the same time.
    ///
    /// If `destination` exists already, only entries that it does not have are added, and the size limit of its cache
    /// is enforced at the next store. A regular file at `destination` is replaced. Nothing happens if there is no
    /// folder at `source`, or if both are the same folder. Files that do not belong to the cache stay in place.
    public static func move(from source: URL, to destination: URL) async throws {
        let executor = WorkExecutor(name: "disk-cache-move", width: 1)
        let (source, destination) = try await executor.run {
            (FilePath(resolving: source), FilePath(resolving: destination))
        }
        do {
            try await EntryDirectory.move(from: source, to: destination, on: executor)
        } catch let error as ImageError {
            throw error
        } catch {
            let message = "the disk cache at \(source.text) cannot be moved to \(destination.text): \(error)"
            throw ImageError(.storage, .cache, message, underlying: error)
        }
    }
}

extension EntryDirectory {
    /// Moves the cache in `source` to `destination`: as a whole if nothing is there, or else entry by entry.
    static func move(
        from source: FilePath, to destination: FilePath,
        on executor: WorkExecutor = WorkExecutor(name: "disk-cache-move", width: 1)
    ) async throws {
        let (old, new) = (EntryDirectory(source), EntryDirectory(destination))
        let shards = try await executor.run {
            guard try source.isFolder && !source.isSame(as: destination) && !source.moveIfPossible(to: destination)
            else {
                return nil as Set<Shard>?
            }
            try new.prepare()
            return try old.shards()
        }
        guard let shards else { return }
        for shard in shards {
            guard !Task.isCancelled else { throw ImageError.cancelled }
            try await executor.run { try new.importAll(of: shard, from: old) }
        }
        try await executor.run { try old.removeIfEmpty() }
    }

    private func importAll(of shard: Shard, from other: EntryDirectory) throws {
        for entry in try other.entries(of: shard) {
            try importEntry(entry, from: other)
            try other.remove(entry.name) { $0.hasSameContent(as: entry.status) }
        }
    }

    /// Copies an entry of another directory including its times, unless the entry exists here.
    private func importEntry(_ entry: ListedEntry, from other: EntryDirectory) throws {
        guard let data = try other.open(entry.name)?.bytes() else { return }
        let file = NewFile(name: entry.name, parts: [data], source: nil, times: entry.status)
        _ = try write(file) { $0 == nil }
    }
}

extension FilePath {
    /// Creates the path to which the symbolic links in that of `folder` lead.
    fileprivate init(resolving folder: URL) { self.init(text: folder.resolvingSymlinksInPath().path) }

    /// Whether both paths lead to the same file or folder.
    fileprivate func isSame(as other: FilePath) throws -> Bool { try status()?.identity == other.status()?.identity }

    /// Moves this folder to `path`, where nothing may exist. Returns whether that was possible.
    fileprivate func moveIfPossible(to path: FilePath) throws -> Bool {
        if let status = try path.status(), status.isRegular { try path.remove() }
        guard try path.status() == nil else { return false }
        try path.folder.makeFolder()
        do {
            try move(to: path)
            return true
        } catch let error where [EXDEV, EEXIST, ENOTEMPTY].contains(error.code) {
            return false
        }
    }
}
