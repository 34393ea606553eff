import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import Synchronization

/// The synchronous implementation of `DiskDataCache`.
final class EntryStore: Sendable {
    /// The limits of size and age.
    struct Limits {
        var byteCount: Int
        var age: Duration?
        var date = ExpiryDate.access

        /// The maximum lag of the recorded time of last use, which saves most hits the cost of setting it.
        var maximumUseLag = Duration.seconds(300)
    }

    let directory: EntryDirectory
    let counts = CacheCounters()
    private let currentLimits: Mutex<Limits>
    private let eviction: Eviction

    init(_ directory: EntryDirectory, limits: Limits) {
        self.directory = directory
        currentLimits = Mutex(limits)
        eviction = Eviction(in: directory, counts: counts)
    }

    /// The current limits.
    var limits: Limits { currentLimits.withLock { $0 } }

    /// Changes limits without enforcing them on existing entries.
    func changeLimits(_ body: (inout Limits) -> Void) { currentLimits.withLock { body(&$0) } }

    /// Reads the entry of `key` if there is `memory` for it. A damaged or expired one is removed.
    func read(_ key: CacheKey, _ memory: EntryMemory) throws -> EntryReading<DataEntry?> {
        do {
            let reading = try find(key, memory)
            switch reading {
            case .finished(nil): counts.misses.increment()
            case .finished: counts.hits.increment()
            case .lacksMemory: break
            }
            return reading
        } catch {
            counts.misses.increment()
            throw error
        }
    }

    /// Returns the entry of `key` as `read` does, but changes neither the file nor the counts.
    func peek(at key: CacheKey) throws -> DataEntry? {
        guard let file = try directory.openCurrent(EntryName(key)), !isExpired(file.status),
            file.status.byteCount <= limits.byteCount
        else { return nil }
        do {
            let content = try file.content()
            return content.key == key ? content.entry : nil
        } catch is DamagedEntry {
            return nil
        }
    }

    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket = .unchecked) throws {
        // The ticket of a folder that may only be read: a load that stores with it has not failed.
        guard !ticket.isRefused || !directory.usage.access.isRefused else { return }
        let name = EntryName(key)
        let trailer = EntryFile.trailer(after: entry.data, EntryRecord(key: key, metadata: entry.metadata))
        guard entry.data.count + trailer.count <= limits.byteCount else {
            try directory.remove(name)
            return
        }
        let file = EntryDirectory.NewFile(
            name: name, parts: [entry.data, trailer], source: MD5Digest(of: key.source), ticket: ticket)
        try makeRoom(try directory.write(file), excluding: name)
    }

    /// Writes the entry with new metadata. If it is replaced before or during that, the replacement stays. In a folder
    /// that may only be read, it stays as it is.
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) throws {
        guard directory.usage.access.refusal == nil else { return }
        let name = EntryName(key)
        guard let file = try directory.open(name), !isExpired(file.status) else { return }
        do {
            let content = try file.content()
            guard content.key == key, metadata.isOfSameVersion(as: content.entry.metadata) else { return }
            let trailer = EntryFile.trailer(after: content.entry.data, EntryRecord(key: key, metadata: metadata))
            let updated = EntryDirectory.NewFile(
                name: name, parts: [content.entry.data, trailer], source: MD5Digest(of: key.source),
                times: file.status)
            let total = try directory.write(updated) { current in
                current?.hasSameContent(as: file.status) ?? false
            }
            try makeRoom(total, excluding: name)
        } catch is DamagedEntry {
            try discard(name, readFrom: file)
        }
    }

    func contains(_ key: CacheKey) throws -> Bool {
        guard let file = try directory.openCurrent(EntryName(key)), !isExpired(file.status) else { return false }
        return try file.recordMatches { $0.key == key } ?? false
    }

    /// Removes the entry of `key`, or a damaged one in its place.
    func remove(_ key: CacheKey) throws {
        try directory.removeEntry(EntryName(key), of: MD5Digest(of: key.source)) { $0.key == key }
    }

    /// Removes all variants of `source`, and damaged entries that may be of it.
    func removeAll(ofSource source: String) throws {
        try directory.removeEntries(of: source)
    }

    /// Returns a ticket of the current generation of `source`.
    func ticket(forSource source: String) throws -> StoreTicket { try directory.ticket(of: MD5Digest(of: source)) }

    /// Starts the generation of `response`, and removes the entries of its source with another revision.
    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) throws -> StoreTicket? {
        try directory.startGeneration(of: response, after: ticket)
    }

    /// Evicts entries until the limit holds.
    func evict() throws {
        let limits = limits
        try eviction.evict(downTo: limits.byteCount, by: limits.date)
    }

    /// Whether the entry has reached the maximum age.
    func isExpired(_ status: FileStatus, now: FileTime = .now) -> Bool {
        limits.isExpired(status, now: now)
    }

    /// Removes the file that was read, but not one that has replaced it.
    @discardableResult
    func discard(_ name: EntryName, readFrom file: OpenEntry) throws -> Bool {
        try directory.remove(name) { $0.hasSameContent(as: file.status) }
    }

    private func find(_ key: CacheKey, _ memory: EntryMemory) throws -> EntryReading<DataEntry?> {
        let name = EntryName(key)
        guard let file = try directory.openCurrent(name) else { return .finished(nil) }
        let (limits, now) = (limits, FileTime.now)
        guard !limits.isExpired(file.status, now: now) else {
            if try discardIfPermitted(name, readFrom: file) { counts.evictions.increment() }
            return .finished(nil)
        }
        let byteCount = file.status.byteCount
        // A larger file was not stored by a cache, or was stored under another limit.
        guard byteCount <= limits.byteCount else { return .finished(nil) }
        guard memory.reserveNow(byteCount) else { return .lacksMemory(byteCount: byteCount) }
        do {
            let content = try file.content()
            guard content.key == key else { return .finished(nil) }
            if limits.shouldRecordUse(after: now.duration(since: file.status.accessTime)) { file.markUsed(now) }
            return .finished(content.entry)
        } catch is DamagedEntry {
            try discardIfPermitted(name, readFrom: file)
            return .finished(nil)
        }
    }

    /// Does the same as `discard`, unless the folder may only be read.
    @discardableResult
    private func discardIfPermitted(_ name: EntryName, readFrom file: OpenEntry) throws -> Bool {
        do {
            return try discard(name, readFrom: file)
        } catch is ReadOnlyFolder {
            return false
        }
    }

    private func makeRoom(_ total: ShardTotals, excluding name: EntryName) throws {
        let limits = limits
        guard total.byteCount > limits.byteCount else { return }
        try eviction.evict(downTo: limits.byteCount, by: limits.date, excluding: name)
    }
}

extension EntryStore.Limits {
    /// Whether an entry has reached the maximum age.
    func isExpired(_ status: FileStatus, now: FileTime) -> Bool {
        guard let age else { return false }
        return now.duration(since: status.time(date)) >= age
    }

    /// Whether a use must be recorded `interval` after the last recorded one. With a short maximum age this is sooner,
    /// so that no entry in use expires. A recorded use in the future is replaced.
    func shouldRecordUse(after interval: Duration) -> Bool {
        guard interval >= .zero, interval < maximumUseLag else { return true }
        return age.map { interval * 10 >= $0 } ?? false
    }
}
