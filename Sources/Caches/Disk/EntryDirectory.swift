import DarkroomCore
import DarkroomFiles
import DarkroomPlatform

/// An entry found when listing its shard.
struct ListedEntry: Sendable {
    let name: EntryName
    let status: FileStatus
}

extension ShardTotals {
    /// The totals of `entries`.
    fileprivate init(of entries: [ListedEntry]) {
        self.init(byteCount: entries.reduce(0) { $0 + $1.status.byteCount }, count: entries.count)
    }
}

/// The folder of a disk cache: one file per entry in 4096 subfolders, and a file that counts them. All functions block.
///
/// The folder may contain unrelated files, if the user chose it by mistake. Files with other names than those of a
/// cache are left alone.
struct EntryDirectory: Sendable {
    /// Not a plain word, which could be the name of an unrelated file.
    private static let usageName = "darkroom-usage"

    /// The folder.
    let path: FilePath
    let usage: ShardUsage
    /// Returns the current moment. The clocks of hosts that share the folder may disagree.
    let clock: @Sendable () -> LoadMoment

    /// Creates the directory at `path` without accessing the file system.
    init(
        _ path: FilePath, scope: FilterScope = .current, clock: @escaping @Sendable () -> LoadMoment = LoadMoment.now
    ) {
        self.path = path
        self.clock = clock
        usage = ShardUsage(path.appending(Self.usageName), scope: scope)
    }

    /// Creates the directory if necessary. Throws if files in it cannot be created and modified: `ReadOnlyFolder` if
    /// they can be read.
    func prepare() throws {
        do {
            try makeFolder()
            try usage.withLock(for: .addition) { table in
                try table.requireWriting()
                try? endRemovals(in: table)
            }
            try usage.access.check()
        } catch let error as SystemError {
            guard let refusal = usage.access.refusal(after: error) else { throw error }
            _ = try FileDescriptor(path, for: .reading)
            _ = try usage.withLock { try $0.lastScan() }
            throw refusal
        }
    }

    /// Returns the totals of all shards.
    func total() throws -> ShardTotals { try usage.withLock { try $0.total() } }

    /// Returns the same, computed again from all shards.
    func recomputedTotal() throws -> ShardTotals { try usage.withLock { try $0.recomputedTotal() } }

    /// Returns the shards that have entries according to their totals.
    func nonEmptyShards() throws -> [Shard] { try usage.withLock { try $0.nonEmptyShards() } }

    /// Returns the shards that have entries according to their totals, or at least a folder.
    func shards() throws -> Set<Shard> {
        Set(try path.names().compactMap(Shard.init)).union((try? nonEmptyShards()) ?? [])
    }

    /// Returns the same while `table` is locked.
    func shards(in table: UsageTable) throws -> Set<Shard> {
        Set(try path.names().compactMap(Shard.init)).union(try table.nonEmptyShards())
    }

    /// Opens the file of an entry. Returns `nil` if there is none.
    func open(_ name: EntryName) throws(SystemError) -> OpenEntry? { try OpenEntry(path(of: name)) }

    /// Opens the file of an entry. Returns `nil` also if a process was killed while it removed the entries of the shard,
    /// and this one may not end that.
    func openCurrent(_ name: EntryName) throws -> OpenEntry? {
        if usage.access.isRefused, try usage.withLock({ try isHidden(name.shard, in: $0) }) { return nil }
        return try open(name)
    }

    /// Returns the entries of `shard`, and corrects its totals if possible.
    ///
    /// They are listed without the lock, for which all other operations wait, and again with it only if the totals differ.
    func entries(of shard: Shard) throws -> [ListedEntry] {
        let entries = try listed(shard)
        return try usage.withLock { table in
            guard try !isHidden(shard, in: table) else { return [] }
            guard try table.totals(of: shard) != ShardTotals(of: entries) else { return entries }
            let entries = try listed(shard)
            // Listing works even without write permission.
            try? table.set(ShardTotals(of: entries), of: shard)
            return entries
        }
    }

    /// Removes an entry if it exists and `predicate` returns true for its status. Returns whether it did.
    @discardableResult
    func remove(_ name: EntryName, if predicate: (FileStatus) -> Bool = { _ in true }) throws -> Bool {
        try usage.withLock { table in try remove(name, in: table, if: predicate) }
    }

    /// Does the same while `table` is locked.
    @discardableResult
    func remove(
        _ name: EntryName, in table: UsageTable, if predicate: (FileStatus) -> Bool = { _ in true }
    ) throws -> Bool {
        let path = path(of: name)
        guard let status = try path.status(), predicate(status) else { return false }
        try table.requireWriting()
        try path.remove()
        try table.subtract(ShardTotals(byteCount: status.byteCount, count: 1), from: name.shard)
        return true
    }

    /// Removes the folder and all files of the cache, unless it contains anything else, such as an entry.
    func removeIfEmpty() throws {
        for shard in try shards() { try? folder(of: shard).removeFolder() }
        let own = [Self.usageName, "CACHEDIR.TAG"]
        guard try path.names().allSatisfy(own.contains) else { return }
        for name in own { try? path.appending(name).remove() }
        try? path.removeFolder()
    }

    /// Returns the entries of `shard`.
    func listed(_ shard: Shard) throws -> [ListedEntry] { try listed(names(of: shard)) }

    /// Returns those of `names` that are entries.
    func listed(_ names: [EntryName]) throws -> [ListedEntry] {
        try names.compactMap { name in
            guard let status = try path(of: name).status(), status.isRegular else { return nil }
            return ListedEntry(name: name, status: status)
        }
    }

    /// Returns the names of the entries of `shard`, and of anything else that is named like an entry.
    func names(of shard: Shard) throws -> [EntryName] {
        try folder(of: shard).names().compactMap { EntryName(fileName: $0, in: shard) }
    }

    private func isHidden(_ shard: Shard, in table: UsageTable) throws -> Bool {
        try table.refusal != nil && table.generations(of: shard).isInRemoval
    }

    private func folder(of shard: Shard) -> FilePath { path.appending(shard.name) }

    private func path(of name: EntryName) -> FilePath { path.appending(name.fileName, inSubfolder: name.shard.name) }

    private func temporaryFile(in folder: FilePath) -> FilePath { folder.appending(TemporaryName().text) }
}

// Cleans up after killed processes, which leave totals that are too high, and temporary files.
extension EntryDirectory {
    /// Returns whether the last scan of all shards is longer ago than `interval`, and another one may write.
    ///
    /// One is also due after a start of the system: after a power failure, totals may be older than the entries. Killed
    /// processes leave totals that are too high at most.
    func isScanDue(after interval: Duration, systemStart: FileTime = .systemStart) throws -> Bool {
        try usage.withLock { table in
            guard table.refusal == nil else { return false }
            let lastScan = try table.lastScan()
            let age = FileTime.now.duration(since: lastScan)
            return age >= interval || age < .zero || lastScan < systemStart
        }
    }

    /// Records that all shards have just been scanned.
    func recordScan() throws { try usage.withLock { try $0.setLastScan(.now) } }

    /// Corrects the totals of `shard`, and removes temporary files of writers that were killed more than an hour ago.
    func repair(_ shard: Shard) throws {
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
    /// A file of an entry, which is about to be written.
    struct NewFile: Sendable {
        let name: EntryName
        /// The contents, to be concatenated.
        let parts: [Data]
        /// The source of the entry; `nil` if it is not known.
        let source: MD5Digest?
        /// The ticket, of the current generation of the source, without which nothing is written.
        var ticket = StoreTicket.unchecked
        /// The times of the file; `nil` for the current time.
        var times: FileStatus?
    }

    /// Writes a file in place of the present one, if its ticket is current and `predicate` returns true for that. Returns
    /// the totals of all shards afterwards.
    func write(_ new: NewFile, if predicate: (FileStatus?) -> Bool = { _ in true }) throws -> ShardTotals {
        do {
            return try writeOnce(new, if: predicate)
        } catch let error as SystemError where error.isMissing {
            // The folder was deleted meanwhile.
            return try writeOnce(new, if: predicate)
        }
    }

    private func writeOnce(_ new: NewFile, if predicate: (FileStatus?) -> Bool) throws -> ShardTotals {
        try usage.access.requireWriting()
        let temporary = temporaryFile(in: folder(of: new.name.shard))
        let file = try create(temporary)
        do {
            try file.write(new.parts)
            let total = try usage.withLock(for: .addition) { table in
                try table.requireWriting()
                // First, because it ends a removal of all entries that has begun.
                let isPermitted = try permits(new, in: table)
                let present = try path(of: new.name).status()
                if isPermitted, predicate(present) {
                    try table.add(new.source, to: new.name.shard)
                    let byteCount = new.parts.reduce(0) { $0 + $1.count }
                    try move(temporary, byteCount: byteCount, to: new.name, replacing: present, in: table)
                } else {
                    try temporary.remove()
                }
                return try table.total()
            }
            // Taken this late because the age of a temporary file decides whether it is a leftover.
            let now = FileTime.now
            try file.setTimes(access: new.times?.accessTime ?? now, modification: new.times?.modificationTime ?? now)
            return total
        } catch {
            try? temporary.remove()
            throw error
        }
    }

    private func move(
        _ temporary: FilePath, byteCount: Int, to name: EntryName, replacing replaced: FileStatus?,
        in table: UsageTable
    ) throws {
        let added = ShardTotals(byteCount: byteCount, count: 1)
        try table.add(added, to: name.shard)
        do {
            try temporary.move(to: path(of: name))
        } catch {
            try table.subtract(added, from: name.shard)
            throw error
        }
        guard let replaced else { return }
        try table.subtract(ShardTotals(byteCount: replaced.byteCount, count: 1), from: name.shard)
    }

    /// Creates a file, and its parent folders if they are gone.
    private func create(_ path: FilePath) throws -> FileDescriptor {
        do {
            return try FileDescriptor(path, for: .creating)
        } catch let error where error.isMissing {
            // That of the cache is seldom gone, too.
            if try !path.folder.makeOneFolder() {
                try makeFolder()
                try path.folder.makeFolder()
            }
            return try FileDescriptor(path, for: .creating)
        }
    }

    /// Creates the folder and, if possible, the file in it that excludes it from backups, unless it has unrelated files.
    func makeFolder() throws(SystemError) {
        try path.makeFolder()
        let tag = path.appending("CACHEDIR.TAG")
        guard (try? tag.status()) == nil, let names = try? path.names(),
            names.allSatisfy({ $0 == Self.usageName || Shard(name: $0) != nil || TemporaryName($0) != nil })
        else { return }
        let text = """
            Signature: 8a477f597d28d172789f06886806bc55
            # This folder is a cache of images, made by Darkroom. See https://bford.info/cachedir/

            """
        try? FileDescriptor(tag, for: .creating).write([Data(text.utf8)])
    }
}
