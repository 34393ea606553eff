#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An entry as it was found in its shard.
struct ListedEntry: Sendable {
    let name: EntryName
    let status: FileStatus
}

/// The folder of a disk cache: a file an entry, in 4096 folders, and a file that counts them. Everything here blocks.
///
/// There may be more in the folder, such as pictures of a user who named the wrong one. What no cache names so is not touched.
struct EntryDirectory: Sendable {
    /// Not a plain word, for then it could be somebody else's file.
    private static let usageName = "darkroom-usage"

    private let path: FilePath
    private let usage: ShardUsage

    /// The directory at `path`; nothing is asked of the file system yet.
    init(_ path: FilePath) {
        self.path = path
        usage = ShardUsage(path.appending(Self.usageName))
    }

    /// Makes the directory if need be, and throws unless files can be made and changed in it.
    func prepare() throws {
        try makeFolder()
        try usage.withLock(toAdd: true) { _ in }
        let probe = temporaryFile(in: path)
        _ = try FileDescriptor(probe, for: .creating)
        try probe.remove()
    }

    /// The totals of all shards.
    func total() throws -> ShardTotals { try usage.withLock { try $0.total() } }

    /// The same, added up anew.
    func countedTotal() throws -> ShardTotals { try usage.withLock { try $0.countedTotal() } }

    /// The shards that have entries, by what is counted.
    func nonEmptyShards() throws -> [Shard] { try usage.withLock { try $0.nonEmptyShards() } }

    /// The shards that have entries, by what is counted, or at least a folder.
    func shards() throws -> Set<Shard> {
        Set(try path.names().compactMap(Shard.init)).union((try? nonEmptyShards()) ?? [])
    }

    /// Opens the file of an entry; `nil` when there is none.
    func open(_ name: EntryName) throws(SystemError) -> OpenEntry? { try OpenEntry(path(of: name)) }

    /// The entries of `shard`; its totals are set to what was found, if that can be done.
    func entries(of shard: Shard) throws -> [ListedEntry] {
        try usage.withLock { table in
            let entries = try listed(shard)
            let byteCount = entries.reduce(0) { $0 + $1.status.byteCount }
            // Who may only read can still list.
            try? table.set(ShardTotals(byteCount: byteCount, count: entries.count), of: shard)
            return entries
        }
    }

    /// Removes an entry if it is there and `isWanted` says yes about it; answers whether it did.
    @discardableResult
    func remove(_ name: EntryName, if isWanted: (FileStatus) -> Bool = { _ in true }) throws -> Bool {
        let path = path(of: name)
        return try usage.withLock { table in
            guard let status = try path.status(), isWanted(status) else { return false }
            try path.remove()
            try table.add(-ShardTotals(byteCount: status.byteCount, count: 1), to: name.shard)
            return true
        }
    }

    /// Removes the folder with all that is the cache's, unless there is more in it, such as an entry.
    func removeIfEmpty() throws {
        for shard in try shards() { try? folder(of: shard).removeFolder() }
        let own = [Self.usageName, "CACHEDIR.TAG"]
        guard try path.names().allSatisfy(own.contains) else { return }
        for name in own { try? path.appending(name).remove() }
        try? path.removeFolder()
    }

    private func listed(_ shard: Shard) throws -> [ListedEntry] {
        try folder(of: shard).names().compactMap { fileName in
            guard let name = EntryName(fileName: fileName, in: shard), let status = try path(of: name).status(),
                status.isRegular
            else { return nil }
            return ListedEntry(name: name, status: status)
        }
    }

    private func folder(of shard: Shard) -> FilePath { path.appending(shard.name) }

    private func path(of name: EntryName) -> FilePath { path.appending(name.shard.name, name.fileName) }

    private func temporaryFile(in folder: FilePath) -> FilePath { folder.appending(TemporaryName().text) }
}

// What killed processes leave behind: counts that are too high, and temporary files.
extension EntryDirectory {
    /// Whether nobody has looked through all shards within `interval`.
    func isScanDue(after interval: Duration) throws -> Bool {
        let age = FileTime.now.duration(since: try usage.withLock { try $0.lastScan() })
        return age >= interval || age < .zero
    }

    /// Notes that all shards were looked through just now.
    func noteScan() throws { try usage.withLock { try $0.setLastScan(.now) } }

    /// Counts `shard` anew, and removes what writers left in it that were killed more than an hour ago.
    func mend(_ shard: Shard) throws {
        _ = try entries(of: shard)
        let hourAgo = FileTime.now.advanced(bySeconds: -3600)
        for name in try folder(of: shard).names().compactMap({ TemporaryName($0) }) {
            let file = folder(of: shard).appending(name.text)
            guard let status = try file.status(), status.isRegular, status.modificationTime < hourAgo else { continue }
            try file.remove()
        }
    }
}

extension EntryDirectory {
    /// Puts a file of `parts`, one behind the other, in the place of `name`, if `isWanted` says yes about what is there.
    ///
    /// The file has the times of `times`, or else the present. Answers the totals of all shards afterwards.
    func write(
        _ parts: [Data], as name: EntryName, times: FileStatus? = nil,
        if isWanted: (FileStatus?) -> Bool = { _ in true }
    ) throws -> ShardTotals {
        let temporary = temporaryFile(in: folder(of: name.shard))
        let file = try create(temporary)
        do {
            try file.write(parts)
            let total = try usage.withLock(toAdd: true) { table in
                let present = try path(of: name).status()
                if isWanted(present) {
                    try move(temporary, parts.reduce(0) { $0 + $1.count }, to: name, inPlaceOf: present, table)
                } else {
                    try temporary.remove()
                }
                return try table.total()
            }
            // Not before, for its age tells whether a temporary file is left over.
            let now = FileTime.now
            try file.setTimes(access: times?.accessTime ?? now, modification: times?.modificationTime ?? now)
            return total
        } catch {
            try? temporary.remove()
            throw error
        }
    }

    private func move(
        _ temporary: FilePath, _ byteCount: Int, to name: EntryName, inPlaceOf replaced: FileStatus?,
        _ table: UsageTable
    ) throws {
        let added = ShardTotals(byteCount: byteCount, count: 1)
        try table.add(added, to: name.shard)
        do {
            try temporary.move(to: path(of: name))
        } catch {
            try table.add(-added, to: name.shard)
            throw error
        }
        guard let replaced else { return }
        try table.add(-ShardTotals(byteCount: replaced.byteCount, count: 1), to: name.shard)
    }

    /// Makes a file, and the folders around it if they are gone.
    private func create(_ path: FilePath) throws -> FileDescriptor {
        do {
            return try FileDescriptor(path, for: .creating)
        } catch let error where error.isMissing {
            try path.folder.makeFolder()
            try makeFolder()
            return try FileDescriptor(path, for: .creating)
        }
    }

    /// Makes the folder and, if that works, the file in it that tells backups to leave it out.
    private func makeFolder() throws(SystemError) {
        try path.makeFolder()
        let text = """
            Signature: 8a477f597d28d172789f06886806bc55
            # This folder is a cache of pictures, made by Darkroom. See https://bford.info/cachedir/

            """
        try? FileDescriptor(path.appending("CACHEDIR.TAG"), for: .creating).write([Data(text.utf8)])
    }
}
