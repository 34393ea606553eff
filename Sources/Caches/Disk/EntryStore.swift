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
    }

    let directory: EntryDirectory
    let limits: Mutex<Limits>
    private let eviction: Eviction

    init(_ directory: EntryDirectory, limits: Limits) {
        self.directory = directory
        self.limits = Mutex(limits)
        eviction = Eviction(directory)
    }

    /// The entry of `key`; one that is damaged or too old is removed.
    func entry(for key: CacheKey) throws -> DataEntry? {
        let name = EntryName(key)
        guard let file = try directory.open(name) else { return nil }
        guard !isExpired(file.status) else { return try discard(name, file) }
        // Whatever is longer than all entries together may be was not put there by a cache, or with another limit.
        guard file.status.byteCount <= limits.withLock({ $0.byteCount }) else { return nil }
        do {
            let content = try file.content()
            guard content.record.key == key else { return nil }
            file.markUsed()
            return DataEntry(content.picture, metadata: content.record.metadata)
        } catch is DamagedEntry {
            return try discard(name, file)
        }
    }

    func store(_ entry: DataEntry, for key: CacheKey) throws {
        let name = EntryName(key)
        let trailer = EntryFile.trailer(behind: entry.data, EntryRecord(key: key, metadata: entry.metadata))
        let limit = limits.withLock { $0.byteCount }
        guard entry.data.count + trailer.count <= limit else { return try directory.remove(name) }
        let total = try directory.write([entry.data, trailer], as: name)
        if total.byteCount > limit { try eviction.evict(downTo: limit, sparing: name) }
    }

    /// Writes the entry anew; if it is replaced in the meantime, the newer one stays as it is.
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) throws {
        let name = EntryName(key)
        guard let file = try directory.open(name), !isExpired(file.status) else { return }
        do {
            let content = try file.content()
            guard content.record.key == key else { return }
            let trailer = EntryFile.trailer(behind: content.picture, EntryRecord(key: key, metadata: metadata))
            let total = try directory.write([content.picture, trailer], as: name, times: file.status) { current in
                current?.isSameContent(as: file.status) ?? false
            }
            let limit = limits.withLock { $0.byteCount }
            if total.byteCount > limit { try eviction.evict(downTo: limit, sparing: name) }
        } catch is DamagedEntry {
            try discard(name, file)
        }
    }

    func contains(_ key: CacheKey) throws -> Bool {
        guard let file = try directory.open(EntryName(key)), !isExpired(file.status) else { return false }
        return (try? file.summary().record.key) == key
    }

    func remove(_ key: CacheKey) throws {
        let name = EntryName(key)
        guard let file = try directory.open(name) else { return }
        if let other = try? file.summary().record.key, other != key { return }
        try directory.remove(name)
    }

    /// Removes all variants of `source`, and what cannot be told to be of another source.
    func removeAll(ofSource source: String) throws {
        for entry in try directory.entries(of: Shard(ofSource: source)) {
            guard let file = try directory.open(entry.name) else { continue }
            if let other = try? file.summary().record.key.source, other != source { continue }
            try directory.remove(entry.name)
        }
    }

    /// Removes entries until the limit holds, or with `isTrimming` until they take less than half of it.
    func evict(isTrimming: Bool) throws {
        let limit = limits.withLock { $0.byteCount }
        try isTrimming ? eviction.evictExactly(downTo: limit / 2 - 1) : eviction.evict(downTo: limit)
    }

    /// Whether the last use lies so far back that the entry counts no more.
    func isExpired(_ status: FileStatus) -> Bool {
        guard let limit = limits.withLock({ $0.age }) else { return false }
        return .nanoseconds(FileTime.now.nanoseconds &- status.accessTime.nanoseconds) >= limit
    }

    /// Removes what was read, and not what may have taken its place.
    @discardableResult
    private func discard(_ name: EntryName, _ file: OpenEntry) throws -> DataEntry? {
        try directory.remove(name) { $0.isSameContent(as: file.status) }
        return nil
    }
}
