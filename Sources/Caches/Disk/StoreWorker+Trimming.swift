import DarkroomCore

extension StoreWorker {
    /// Removes the entries that are too old, then the oldest until the rest takes less than half of the limit.
    ///
    /// All shards are listed twice: first to find the age up to which entries stay, then to remove the older ones.
    func trim() async throws {
        let ages = Tally<[FileAge]>([])
        try await forEachShard { store, shard in
            try store.directory.mend(shard)
            let rest = try store.removeExpired(in: shard)
            ages.change { $0 += rest }
        }
        try await run { store in try store.directory.noteScan() }
        let limit = store.limits.byteCount
        guard let cut = AgeCut(ages.value, lessThan: limit / 2) else { return }
        let open = Tally(cut)
        try await forEachShard { store, shard in
            try store.remove(in: shard) { age in open.change { $0.takes(age) } }
        }
    }
}

/// How old an entry is, and how long its file.
private struct FileAge: Sendable {
    let time: FileTime
    let byteCount: Int
}

/// Tells the entries that go from those that stay.
private struct AgeCut: Sendable {
    private let time: FileTime

    /// How many bytes of those right at `time` are yet to go.
    private var byteCount = 0

    /// The cut that leaves less than `bound` bytes of `ages`; `nil` if there is not more.
    init?(_ ages: [FileAge], lessThan bound: Int) {
        var excess = ages.reduce(1 - bound) { $0 + $1.byteCount }
        guard excess > 0, var time = ages.first?.time else { return nil }
        for age in ages.sorted(by: { $0.time < $1.time }) where excess > 0 {
            byteCount = age.time == time ? byteCount + min(excess, age.byteCount) : min(excess, age.byteCount)
            time = age.time
            excess -= age.byteCount
        }
        self.time = time
    }

    /// Whether an entry of `time` goes.
    mutating func takes(_ age: FileAge) -> Bool {
        guard age.time == time else { return age.time < time }
        defer { byteCount -= age.byteCount }
        return byteCount > 0
    }
}

extension EntryStore {
    /// Removes the entries of `shard` that are too old, and answers the ages of the others.
    fileprivate func removeExpired(in shard: Shard) throws -> [FileAge] {
        let (limits, now) = (limits, FileTime.now)
        let entries = try directory.entries(of: shard)
        for entry in entries where limits.isExpired(entry.status, now: now) { try evict(entry) }
        return entries.filter { !limits.isExpired($0.status, now: now) }
            .map { FileAge(time: $0.status.time(limits.date), byteCount: $0.status.byteCount) }
    }

    /// Removes those entries of `shard` that are too much.
    fileprivate func remove(in shard: Shard, where isTooMuch: (FileAge) -> Bool) throws {
        let date = limits.date
        for entry in try directory.entries(of: shard) {
            let age = FileAge(time: entry.status.time(date), byteCount: entry.status.byteCount)
            if isTooMuch(age) { try evict(entry) }
        }
    }

    private func evict(_ entry: ListedEntry) throws {
        if try directory.remove(entry.name, if: { $0 == entry.status }) { counts.evictions.count() }
    }
}
