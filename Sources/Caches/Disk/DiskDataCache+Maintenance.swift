import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension DiskDataCache {
    /// How much there is.
    public struct Usage: Hashable, Sendable {
        /// How many entries.
        public var count = 0

        /// How many bytes their pictures have.
        public var byteCount = 0
    }

    /// What a check of all entries found.
    public struct Verification: Hashable, Sendable {
        /// How many entries are whole.
        public var intactCount = 0

        /// How many were not, and were removed.
        public var removedCount = 0
    }

    /// Returns when this cache has looked through its folder for what killed processes left behind.
    ///
    /// It starts when the cache is made, and only mends the count of bytes and removes temporary files. No other call
    /// needs to wait for it.
    public func waitForOpeningScan() async { await openingScan.value }

    /// Counts the entries, and the bytes of their pictures.
    public func usage() async throws -> Usage {
        try await forEachShard { store, shard in try store.usage(of: shard) }
            .reduce(into: Usage()) { usage, shard in
                usage.count += shard.count
                usage.byteCount += shard.byteCount
            }
    }

    /// Reads all entries, and removes those that are damaged.
    public func verify() async throws -> Verification {
        try await forEachShard { store, shard in try store.verify(shard) }
            .reduce(into: Verification()) { verification, shard in
                verification.intactCount += shard.intactCount
                verification.removedCount += shard.removedCount
            }
    }

    /// Removes the entries that are too old, then those not used for the longest time until the rest takes less than half
    /// of the limit.
    public func trim() async throws {
        _ = try await forEachShard { store, shard in try store.removeExpired(in: shard) }
        try await run { store in try store.evict(isTrimming: true) }
    }

    /// Runs `body` for one shard after the other, and lets other work in between.
    func forEachShard<Result: Sendable>(
        _ body: @escaping @Sendable (EntryStore, Shard) throws -> Result
    ) async throws -> [Result] {
        var results: [Result] = []
        for shard in try await run({ store in try store.directory.shards() }) {
            guard !Task.isCancelled else { throw ImageError.cancelled }
            results.append(try await run { store in try body(store, shard) })
        }
        return results
    }

    /// Mends what killed processes left behind in `directory`. The cache itself is not held for that.
    static func scan(_ directory: EntryDirectory, _ executor: WorkExecutor) -> Task<Void, Never> {
        Task {
            let shards = (try? await executor.run { try directory.shards() }) ?? []
            for shard in shards where !Task.isCancelled {
                // What cannot be mended now is so when eviction lists the shard, or at the next start.
                try? await executor.run {
                    _ = try directory.entries(of: shard)
                    try directory.removeTemporaryFiles(of: shard)
                }
            }
        }
    }
}

extension EntryStore {
    fileprivate func usage(of shard: Shard) throws -> DiskDataCache.Usage {
        try directory.entries(of: shard).reduce(into: DiskDataCache.Usage()) { usage, entry in
            guard let summary = try? directory.open(entry.name)?.summary() else { return }
            usage.count += 1
            usage.byteCount += summary.pictureByteCount
        }
    }

    fileprivate func verify(_ shard: Shard) throws -> DiskDataCache.Verification {
        try directory.entries(of: shard).reduce(into: DiskDataCache.Verification()) { verification, entry in
            guard let file = try directory.open(entry.name) else { return }
            if (try? EntryName(file.content().record.key)) == entry.name {
                verification.intactCount += 1
            } else {
                try directory.remove(entry.name) { $0.isSameContent(as: file.status) }
                verification.removedCount += 1
            }
        }
    }

    fileprivate func removeExpired(in shard: Shard) throws {
        for entry in try directory.entries(of: shard) where isExpired(entry.status) {
            try directory.remove(entry.name) { $0 == entry.status }
        }
    }
}
