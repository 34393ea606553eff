import DarkroomCore
import DarkroomPlatform

extension DataCacheContract {
    /// The task of a child process: created by a check, and passed to `run(_:)` in that process.
    public struct Child: Codable, Sendable {
        enum Work: Codable, Sendable {
            /// Using the cache until the process is killed, `microseconds` after the cache was created.
            case use(microseconds: Int)
            /// Storing entries under a limit of the system.
            case store(under: ProcessLimit)
        }

        let folder: URL
        let work: Work
        let seed: UInt64
    }

    /// Runs all checks that need other processes: `checkKills`, `checkFullDisk` and `checkFileShortage`.
    ///
    /// `runChild` calls `run(_:)` of an equal contract in another process, and returns after `SIGKILL` has ended that
    /// process, which always happens. An exit test of Swift Testing takes one line:
    ///
    ///     let contract = DataCacheContract { try MyCache(directory: $0) }
    ///
    ///     @Test func survivesFaults() async throws {
    ///         try await contract.checkFaults { child in
    ///             await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as DataCacheContract.Child] in
    ///                 await contract.run(child)
    ///             }
    ///         }
    ///     }
    ///
    /// The checks have no effect for caches that do not persist.
    ///
    /// - Parameters:
    ///   - processCount: The number of processes killed at a time: more than one only for caches whose folder several
    ///     processes may share.
    ///   - runChild: Runs a child in a process of its own, and returns when that has been killed.
    public func checkFaults(
        processCount: Int = 1, runChild: @escaping @Sendable (Child) async -> Void
    ) async throws {
        try await checkKills(processCount: processCount, runChild: runChild)
        try await checkFullDisk(runChild: runChild)
        try await checkFileShortage(runChild: runChild)
    }

    /// Checks that each entry is the old one, the new one or a miss after a process was killed while storing.
    ///
    /// Each round has `processCount` such processes at once, which must also see intact entries of each other. Killing a
    /// process does not simulate a power failure: the system still completes the writes that the process has made.
    public func checkKills(
        rounds: Int = 10, processCount: Int = 1, seed: UInt64 = 1, runChild: @escaping @Sendable (Child) async -> Void
    ) async throws {
        guard persists else { return }
        try await withTemporaryDirectory { root in
            try await storeUntouchedEntries(in: root.cacheFolder)
            var random = SeededGenerator(seed: seed)
            for round in 0..<rounds {
                let children = (0..<processCount).map { _ in
                    let microseconds = Int.random(in: 0...15_000, using: &random)
                    return Child(folder: root, work: .use(microseconds: microseconds), seed: random.next())
                }
                await withTaskGroup { group in
                    for child in children { group.addTask { await runChild(child) } }
                }
                for child in children { try child.rethrowViolation() }
                try await checkEntries(in: root.cacheFolder, "after a process was killed, in round \(round)")
            }
        }
    }

    /// Checks that each entry is the old one, the new one or a miss while the disk is full, and that the cache works again
    /// once there is room.
    ///
    /// A full disk is simulated in another process by a limit on the size of its files. The limit applies to each file by
    /// itself, so a cache of many small files reaches it later than one of a large file. Removing and renaming still work.
    public func checkFullDisk(runChild: @escaping @Sendable (Child) async -> Void) async throws {
        for byteCount in [0, 1, 700, 5_000, 20_000, 100_000] {
            try await check(.fileByteCount(byteCount), "after the disk was full", runChild)
        }
    }

    /// Checks that each entry is the old one, the new one or a miss while no file can be opened, and that the cache works
    /// again afterwards.
    ///
    /// Files that the cache already has open stay usable.
    public func checkFileShortage(runChild: @escaping @Sendable (Child) async -> Void) async throws {
        try await check(.openFileCount(0), "after no file could be opened", runChild)
    }

    private func check(
        _ limit: ProcessLimit, _ circumstances: String, _ runChild: @escaping @Sendable (Child) async -> Void
    ) async throws {
        guard persists else { return }
        try await withTemporaryDirectory { root in
            try await storeUntouchedEntries(in: root.cacheFolder)
            let child = Child(folder: root, work: .store(under: limit), seed: 0)
            await runChild(child)
            try child.rethrowViolation()
            try await checkEntries(in: root.cacheFolder, circumstances)
        }
    }

    private func storeUntouchedEntries(in folder: URL) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (cache, subject) = try await openCache(in: folder)
        for number in 0..<3 {
            try await subject.storing { try await cache.store(.sample(number), for: Self.untouchedKey(number)) }
        }
    }

    private func checkEntries(in folder: URL, _ circumstances: String) async throws {
        let (cache, subject) = try await openCache(in: folder, " \(circumstances)")
        for number in 0..<3 {
            try await subject.require(
                cache, has: .sample(number), for: Self.untouchedKey(number),
                "an untouched entry, \(circumstances),")
        }
        for index in 0..<RandomCacheOperations.keyCount {
            try RandomCacheOperations.check(
                try? await cache.entry(for: RandomCacheOperations.key(index)), at: index, of: subject,
                circumstances: circumstances)
        }
        try await subject.storing("storing \(circumstances)") { try await cache.store(.sample(7), for: .a) }
        try await subject.require(cache, has: .sample(7), for: .a, "an entry stored \(circumstances)")
    }

    private static func untouchedKey(_ number: Int) -> CacheKey { CacheKey(source: "untouched \(number)") }
}
