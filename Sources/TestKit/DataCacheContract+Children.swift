import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension DataCacheContract {
    /// What another process is to do: made by a check, and handed to `run(_:)` over there.
    public struct Child: Codable, Sendable {
        enum Work: Codable, Sendable {
            /// Use the cache until it is killed, so many microseconds after it was made.
            case play(microseconds: Int)
            /// Store while the system refuses something.
            case store(under: ProcessLimit)
        }

        let folder: URL
        let work: Work
        let seed: UInt64
    }

    /// All checks that need other processes: `checkKills`, `checkFullDisk` and `checkFileShortage`.
    ///
    /// `runChild` runs `run(_:)` of an equal contract in another process, and returns when that has died of `SIGKILL`,
    /// which it always does. Swift Testing's exit tests do it in a line:
    ///
    ///     let contract = DataCacheContract { try MyCache(directory: $0) }
    ///
    ///     @Test func outlivesItsProcess() async throws {
    ///         try await contract.checkFaults { child in
    ///             await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as DataCacheContract.Child] in
    ///                 await contract.run(child)
    ///             }
    ///         }
    ///     }
    ///
    /// They do nothing for caches that do not persist. `processCount` processes are killed at a time: more than one only
    /// for caches whose folder several processes may share.
    public func checkFaults(
        processCount: Int = 1, runChild: @escaping @Sendable (Child) async -> Void
    ) async throws {
        try await checkKills(processCount: processCount, runChild: runChild)
        try await checkFullDisk(runChild: runChild)
        try await checkFileShortage(runChild: runChild)
    }

    /// What processes leave behind that are killed while they store reads whole, as before or after, or not at all.
    ///
    /// Each round has `processCount` such processes at once, which see each other's entries whole, too. A killed process is
    /// no power failure: what the system was told to write still gets to the disk.
    public func checkKills(
        rounds: Int = 10, processCount: Int = 1, seed: UInt64 = 1, runChild: @escaping @Sendable (Child) async -> Void
    ) async throws {
        guard persists else { return }
        try await withTemporaryDirectory { root in
            try await storeBystanders(in: root.cacheFolder)
            var random = SeededGenerator(seed: seed)
            for round in 0..<rounds {
                let children = (0..<processCount).map { _ in
                    let microseconds = Int.random(in: 0...15_000, using: &random)
                    return Child(folder: root, work: .play(microseconds: microseconds), seed: random.next())
                }
                await withTaskGroup { group in
                    for child in children { group.addTask { await runChild(child) } }
                }
                for child in children { try child.throwWhatItLeft() }
                try await checkRemains(in: root.cacheFolder, "after a process was killed, in round \(round)")
            }
        }
    }

    /// When the disk is full, each entry is the old one, the new one or a miss, and once there is room all is well again.
    ///
    /// The disk seems full to another process, to whose files the system adds no more than some bytes. That bounds each
    /// file by itself, so a cache of many small files meets it later than one of a large file; removing and renaming
    /// still work.
    public func checkFullDisk(runChild: @escaping @Sendable (Child) async -> Void) async throws {
        for byteCount in [0, 1, 700, 5_000, 20_000, 100_000] {
            try await check(.fileByteCount(byteCount), "after the disk was full", runChild)
        }
    }

    /// When no file can be opened, each entry is the old one, the new one or a miss, and later all is well again.
    ///
    /// Files that the cache holds open go on working.
    public func checkFileShortage(runChild: @escaping @Sendable (Child) async -> Void) async throws {
        try await check(.openFileCount(0), "after no file could be opened", runChild)
    }

    private func check(
        _ limit: ProcessLimit, _ circumstances: String, _ runChild: @escaping @Sendable (Child) async -> Void
    ) async throws {
        guard persists else { return }
        try await withTemporaryDirectory { root in
            try await storeBystanders(in: root.cacheFolder)
            let child = Child(folder: root, work: .store(under: limit), seed: 0)
            await runChild(child)
            try child.throwWhatItLeft()
            try await checkRemains(in: root.cacheFolder, circumstances)
        }
    }

    private func storeBystanders(in folder: URL) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (cache, subject) = try await made(in: folder)
        for number in 0..<3 {
            try await subject.storing { try await cache.store(.sample(number), for: Self.bystander(number)) }
        }
    }

    private func checkRemains(in folder: URL, _ circumstances: String) async throws {
        let (cache, subject) = try await made(in: folder, " \(circumstances)")
        for number in 0..<3 {
            try await subject.require(
                cache, has: .sample(number), for: Self.bystander(number),
                "an entry that nobody touched, \(circumstances),")
        }
        for index in 0..<RandomCacheOperations.keyCount {
            try RandomCacheOperations.check(
                try? await cache.entry(for: RandomCacheOperations.key(index)), at: index, of: subject,
                circumstances: circumstances)
        }
        try await subject.storing("storing \(circumstances)") { try await cache.store(.sample(7), for: .a) }
        try await subject.require(cache, has: .sample(7), for: .a, "an entry stored \(circumstances)")
    }

    private static func bystander(_ number: Int) -> CacheKey { CacheKey(source: "bystander \(number)") }
}
