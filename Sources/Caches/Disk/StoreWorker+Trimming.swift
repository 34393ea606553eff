import DarkroomCore
import DarkroomFiles

extension StoreWorker {
    /// Removes expired entries. If the rest exceeds the size limit, removes the oldest ones until less than half of the
    /// limit is left.
    ///
    /// In that case all shards are listed twice: first to determine the age up to which entries stay, then to evict the
    /// older ones.
    func trim() async throws {
        try await run { store in try store.directory.usage.access.requireWriting() }
        let ages = LockedValue<[FileAge]>([])
        try await forEachShard { store, shard in
            try store.directory.repair(shard)
            let rest = try store.removeExpired(in: shard)
            ages.change { $0 += rest }
        }
        try await run { store in try store.directory.recordScan() }
        guard let cutoff = AgeCutoff(ages.value, byteLimit: store.limits.byteCount) else { return }
        let remaining = LockedValue(cutoff)
        try await forEachShard { store, shard in
            try store.remove(in: shard) { age in remaining.change { $0.shouldEvict(age) } }
        }
    }
}

/// The age of an entry, and the size of its file.
private struct FileAge: Sendable {
    let time: FileTime
    let byteCount: Int
}

/// The age that separates the entries to evict from those to keep.
private struct AgeCutoff: Sendable {
    private let time: FileTime

    /// The number of bytes to evict among the entries whose time equals `time`.
    private var byteCount = 0

    /// Computes the cutoff that leaves less than half of `byteLimit`. Returns `nil` if `ages` do not exceed the limit.
    init?(_ ages: [FileAge], byteLimit: Int) {
        let total = ages.reduce(0) { $0 + $1.byteCount }
        guard total > byteLimit, var time = ages.first?.time else { return nil }
        var excess = total - byteLimit / 2 + 1
        for age in ages.sorted(by: { $0.time < $1.time }) where excess > 0 {
            byteCount = age.time == time ? byteCount + min(excess, age.byteCount) : min(excess, age.byteCount)
            time = age.time
            excess -= age.byteCount
        }
        self.time = time
    }

    /// Returns whether an entry of this age is to be evicted.
    mutating func shouldEvict(_ age: FileAge) -> Bool {
        guard age.time == time else { return age.time < time }
        defer { byteCount -= age.byteCount }
        return byteCount > 0
    }
}

extension EntryStore {
    /// Removes the expired entries of `shard`, and returns the ages of the others.
    fileprivate func removeExpired(in shard: Shard) throws -> [FileAge] {
        let (limits, now) = (limits, FileTime.now)
        let entries = try directory.entries(of: shard)
        for entry in entries where limits.isExpired(entry.status, now: now) { try evict(entry) }
        return entries.filter { !limits.isExpired($0.status, now: now) }
            .map { FileAge(time: $0.status.evictionTime(limits.date, now: now), byteCount: $0.status.byteCount) }
    }

    /// Evicts the entries of `shard` for which `isExcess` returns true.
    fileprivate func remove(in shard: Shard, where isExcess: (FileAge) -> Bool) throws {
        let (date, now) = (limits.date, FileTime.now)
        for entry in try directory.entries(of: shard) {
            let age = FileAge(time: entry.status.evictionTime(date, now: now), byteCount: entry.status.byteCount)
            if isExcess(age) { try evict(entry) }
        }
    }

    private func evict(_ entry: ListedEntry) throws {
        if try directory.remove(entry.name, if: { $0 == entry.status }) { counts.evictions.increment() }
    }
}
