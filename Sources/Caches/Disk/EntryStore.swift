import DarkroomCore
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a `DiskDataCache` does, on the thread that calls.
final class EntryStore: Sendable {
    /// What may be kept, and for how long.
    struct Limits {
        var byteCount: Int
        var age: Duration?
        var date = ExpiryDate.access

        /// How far the time of last use may lag behind at most, to save most hits the price of setting it.
        var largestUseLag = Duration.seconds(300)
    }

    let directory: EntryDirectory
    let counts = UseCounts()
    private let currentLimits: Mutex<Limits>
    private let eviction: Eviction

    init(_ directory: EntryDirectory, limits: Limits) {
        self.directory = directory
        currentLimits = Mutex(limits)
        eviction = Eviction(directory, counts)
    }

    /// Those that hold at this moment.
    var limits: Limits { currentLimits.withLock { $0 } }

    /// Changes limits; what is there already is not touched.
    func changeLimits(_ body: (inout Limits) -> Void) { currentLimits.withLock { body(&$0) } }

    /// The entry of `key`; one that is damaged or too old is removed.
    func entry(for key: CacheKey) throws -> DataEntry? {
        do {
            let entry = try find(key)
            if entry == nil { counts.misses.count() } else { counts.hits.count() }
            return entry
        } catch {
            counts.misses.count()
            throw error
        }
    }

    /// The entry of `key`, as `entry(for:)` answers it, while file and counts stay as they are.
    func peek(at key: CacheKey) throws -> DataEntry? {
        guard let file = try directory.open(EntryName(key)), !isExpired(file.status),
            file.status.byteCount <= limits.byteCount
        else { return nil }
        do {
            let content = try file.content()
            return content.key == key ? content.entry : nil
        } catch is DamagedEntry {
            return nil
        }
    }

    func store(_ entry: DataEntry, for key: CacheKey) throws {
        let name = EntryName(key)
        let trailer = EntryFile.trailer(behind: entry.data, EntryRecord(key: key, metadata: entry.metadata))
        guard entry.data.count + trailer.count <= limits.byteCount else {
            try directory.remove(name)
            return
        }
        try makeRoom(try directory.write([entry.data, trailer], as: name), sparing: name)
    }

    /// Writes the entry anew; if it was replaced before, or is in the meantime, the newer one stays as it is.
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) throws {
        let name = EntryName(key)
        guard let file = try directory.open(name), !isExpired(file.status) else { return }
        do {
            let content = try file.content()
            guard content.key == key, metadata.isOfSameVersion(as: content.entry.metadata) else { return }
            let trailer = EntryFile.trailer(behind: content.entry.data, EntryRecord(key: key, metadata: metadata))
            let total = try directory.write([content.entry.data, trailer], as: name, times: file.status) { current in
                current?.isSameContent(as: file.status) ?? false
            }
            try makeRoom(total, sparing: name)
        } catch is DamagedEntry {
            try discard(name, file)
        }
    }

    func contains(_ key: CacheKey) throws -> Bool {
        guard let file = try directory.open(EntryName(key)), !isExpired(file.status) else { return false }
        return try file.isEntry { $0.key == key } ?? false
    }

    func remove(_ key: CacheKey) throws {
        let name = EntryName(key)
        guard let file = try directory.open(name) else { return }
        if try file.isEntry({ $0.key == key }) ?? true { try directory.remove(name) }
    }

    /// Removes all variants of `source`, and what cannot be told to be of another source.
    func removeAll(ofSource source: String) throws {
        for entry in try directory.entries(of: Shard(ofSource: source)) {
            guard let file = try directory.open(entry.name) else { continue }
            if try file.isEntry({ $0.key.source == source }) ?? true { try directory.remove(entry.name) }
        }
    }

    /// Removes entries until the limit holds.
    func evict() throws {
        let limits = limits
        try eviction.evict(downTo: limits.byteCount, by: limits.date)
    }

    /// Whether the entry is so old that it counts no more.
    func isExpired(_ status: FileStatus, now: FileTime = .now) -> Bool {
        limits.isExpired(status, now: now)
    }

    /// Removes what was read, and not what may have taken its place.
    @discardableResult
    func discard(_ name: EntryName, _ file: OpenEntry) throws -> Bool {
        try directory.remove(name) { $0.isSameContent(as: file.status) }
    }

    private func find(_ key: CacheKey) throws -> DataEntry? {
        let name = EntryName(key)
        guard let file = try directory.open(name) else { return nil }
        let (limits, now) = (limits, FileTime.now)
        guard !limits.isExpired(file.status, now: now) else {
            if try discard(name, file) { counts.evictions.count() }
            return nil
        }
        // Whatever is longer than all entries together may be was not put there by a cache, or with another limit.
        guard file.status.byteCount <= limits.byteCount else { return nil }
        do {
            let content = try file.content()
            guard content.key == key else { return nil }
            if limits.isUseDue(now.duration(since: file.status.accessTime)) { file.markUsed(now) }
            return content.entry
        } catch is DamagedEntry {
            try discard(name, file)
            return nil
        }
    }

    private func makeRoom(_ total: ShardTotals, sparing name: EntryName) throws {
        let limits = limits
        guard total.byteCount > limits.byteCount else { return }
        try eviction.evict(downTo: limits.byteCount, by: limits.date, sparing: name)
    }
}

extension EntryStore.Limits {
    /// Whether an entry is so old that it counts no more.
    func isExpired(_ status: FileStatus, now: FileTime) -> Bool {
        guard let age else { return false }
        return now.duration(since: status.time(date)) >= age
    }

    /// Whether a use so long after the last one that was noted is to be noted too. Where entries grow old soon that is
    /// sooner, so that none does that is in use; and a last use that is yet to come is none.
    func isUseDue(_ interval: Duration) -> Bool {
        guard interval >= .zero, interval < largestUseLag else { return true }
        return age.map { interval * 10 >= $0 } ?? false
    }
}
