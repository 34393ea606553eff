import DarkroomCore

extension DiskDataCache {
    /// What a check of all entries found.
    public struct Verification: Hashable, Sendable {
        /// How many entries are whole.
        public var intactCount = 0

        /// How many were not, and were removed.
        public var removedCount = 0

        /// How many bytes were read: those of the files of all entries, whole or not.
        public var byteCount = 0
    }

    /// Returns when this cache has looked through its folder for what killed processes left behind.
    ///
    /// It starts when the cache is made, and only mends the count of bytes and removes temporary files. No other call
    /// needs to wait for it.
    public func waitForOpeningScan() async { await openingScan.value }

    /// Reads all entries, a few at a time so that other calls go on, and removes those that are damaged.
    ///
    /// Those that the system does not let it read are left, and reported.
    public func verify() async throws -> Verification {
        let tally = Tally(Verification())
        try await worker.forEachSlice { [worker] store, entries in
            for entry in entries {
                do {
                    guard let isIntact = try store.verify(entry.name) else { continue }
                    tally.change { $0.add(isIntact, entry.status.byteCount) }
                } catch {
                    _ = worker.failure(error)
                }
            }
        }
        return tally.value
    }

    /// Removes the entries that are too old, then the oldest until the rest takes less than half of the limit.
    public func trim() async throws { try await worker.trim() }
}

extension DiskDataCache.Verification {
    fileprivate mutating func add(_ isIntact: Bool, _ byteCount: Int) {
        if isIntact { intactCount += 1 } else { removedCount += 1 }
        self.byteCount += byteCount
    }
}

extension EntryStore {
    /// Whether every byte of an entry is right; if not, it is removed. `nil` when there is no such entry any more.
    fileprivate func verify(_ name: EntryName) throws -> Bool? {
        guard let file = try directory.open(name) else { return nil }
        do {
            guard EntryName(try file.checkedSummary().record.key) == name else { throw DamagedEntry() }
            return true
        } catch is DamagedEntry {
            return try discard(name, file) ? false : nil
        }
    }
}
