import DarkroomCore
import DarkroomFiles

extension DiskDataCache {
    /// The result of verifying all entries.
    public struct Verification: Hashable, Sendable {
        /// The number of intact entries.
        public var intactCount = 0

        /// The number of damaged entries, which were removed.
        public var removedCount = 0

        /// The number of bytes read: the sizes of the files of all entries, intact or not.
        public var byteCount = 0
    }

    /// Waits until this cache has scanned its folder for the remains of killed processes.
    ///
    /// The scan starts when the cache is created, and only corrects the accounting and removes temporary files. No
    /// other call needs to wait for it.
    public func waitForOpeningScan() async { await openingScan.value }

    /// Verifies all entries, and removes the damaged ones. It works in small steps, so that other calls proceed.
    ///
    /// Entries that the system does not permit to read are left in place, and reported.
    ///
    /// - Throws: Also if an entry is damaged, and the folder may only be read.
    public func verify() async throws -> Verification {
        let verification = LockedValue(Verification())
        try await worker.forEachSlice { [worker] store, entries in
            for entry in entries {
                do {
                    guard let isIntact = try store.verify(entry.name) else { continue }
                    verification.change { $0.add(isIntact: isIntact, byteCount: entry.status.byteCount) }
                } catch let refusal as ReadOnlyFolder {
                    throw refusal
                } catch {
                    worker.report(error)
                }
            }
        }
        return verification.value
    }

    /// Removes expired entries. If the rest exceeds the size limit, removes the oldest ones until less than half of the
    /// limit is left.
    public func trim() async throws { try await worker.trim() }
}

extension DiskDataCache.Verification {
    fileprivate mutating func add(isIntact: Bool, byteCount: Int) {
        if isIntact { intactCount += 1 } else { removedCount += 1 }
        self.byteCount += byteCount
    }
}

extension EntryStore {
    /// Returns whether the entry is intact; if not, it is removed. Returns `nil` if the entry does not exist any more.
    fileprivate func verify(_ name: EntryName) throws -> Bool? {
        guard let file = try directory.open(name) else { return nil }
        do {
            guard EntryName(try file.verifiedSummary().record.key) == name else { throw DamagedEntry() }
            return true
        } catch is DamagedEntry {
            return try discard(name, readFrom: file) ? false : nil
        }
    }
}
