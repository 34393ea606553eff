import DarkroomCore
import Dispatch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension DataCacheContract {
    /// What another process is to do: made by a check, and handed to `run(_:)` over there.
    public struct Child: Codable, Sendable {
        enum Work: Codable, Sendable {
            /// Use the cache until it is killed, so many microseconds after it was made.
            case play(microseconds: Int)
            /// Store while no file may become longer than this.
            case storeOnFullDisk(fileByteLimit: Int)
        }

        let folder: String
        let work: Work
        let seed: UInt64
    }

    /// What processes leave behind that are killed while they store reads whole, as before or after, or not at all.
    ///
    /// `runChild` runs `run(_:)` of an equal contract in another process, and returns when that has died of `SIGKILL`,
    /// which it always does. Swift Testing's exit tests do it in a line:
    ///
    ///     let contract = DataCacheContract { try MyCache(directory: $0) }
    ///
    ///     @Test func survivesItsProcess() async throws {
    ///         try await contract.checkKills { child in
    ///             await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as DataCacheContract.Child] in
    ///                 await contract.run(child)
    ///             }
    ///         }
    ///     }
    ///
    /// Each round has two such processes at once. A killed process is no power failure: what the system was told to write
    /// still gets to the disk. Does nothing for caches that do not persist.
    public func checkKills(
        rounds: Int = 10, seed: UInt64 = 1, runChild: @escaping @Sendable (Child) async -> Void
    ) async throws {
        guard persists else { return }
        try await withFolder { root in
            let folder = try root.subfolder("cache")
            try await storeBystanders(in: folder)
            var random = SeededNumbers(seed: seed)
            for round in 0..<rounds {
                let children = (0..<2).map { _ in
                    Child(
                        folder: root.path, work: .play(microseconds: Int.random(in: 0...15_000, using: &random)),
                        seed: random.next())
                }
                await withTaskGroup { group in
                    for child in children { group.addTask { await runChild(child) } }
                }
                try root.throwViolation()
                try await checkRemains(in: folder, "after a process was killed, in round \(round)")
            }
        }
    }

    /// When the disk is full, each entry is the old one, the new one or a miss, and once there is room all is well again.
    ///
    /// The disk seems full to another process, to whose files the system adds no more than a few bytes; `runChild` is as in
    /// `checkKills`. That bounds each file by itself, so a cache of many small files meets it later than one of a large
    /// file; removing and renaming still work. Does nothing for caches that do not persist.
    public func checkFullDisk(runChild: @escaping @Sendable (Child) async -> Void) async throws {
        guard persists else { return }
        for fileByteLimit in [0, 1, 700, 5_000, 20_000, 100_000] {
            try await withFolder { root in
                let folder = try root.subfolder("cache")
                try await storeBystanders(in: folder)
                await runChild(
                    Child(folder: root.path, work: .storeOnFullDisk(fileByteLimit: fileByteLimit), seed: 1))
                try root.throwViolation()
                try await checkRemains(in: folder, "after the disk was full")
            }
        }
    }

    /// Does the work of a child process, and kills the process. What it finds wrong, the check that made `child` throws.
    public func run(_ child: Child) async {
        let root = URL(filePath: child.folder, directoryHint: .isDirectory)
        do {
            let (cache, subject) = try await made(in: root.appending(path: "cache", directoryHint: .isDirectory))
            switch child.work {
            case .play(let microseconds): try await play(child.seed, cache, subject, microseconds)
            case .storeOnFullDisk(let limit): try await storeOnFullDisk(cache, subject, limit)
            }
        } catch {
            root.leave(error)
        }
        kill(getpid(), SIGKILL)
    }

    private func play(_ seed: UInt64, _ cache: any DataCache, _ subject: Subject, _ microseconds: Int) async throws {
        DispatchQueue(label: "killer").asyncAfter(deadline: .now() + .microseconds(microseconds)) {
            kill(getpid(), SIGKILL)
        }
        var play = CachePlay(seed: seed, keyCount: Self.playCount)
        while true { try await play.step(cache, subject) }
    }

    private func storeOnFullDisk(_ cache: any DataCache, _ subject: Subject, _ limit: Int) async throws {
        let when = "when the disk is full"
        for index in 0..<Self.playCount {
            let old = CachePlay.entry(index, byte: 1, byteCount: 3_000)
            try await subject.storing { try await cache.store(old, for: CachePlay.key(index)) }
            let new = CachePlay.entry(index, byte: 2, byteCount: 10_000 * (index % 3 + 1))
            FileSizeLimit.set(limit)
            if index % 2 == 0 {
                try? await cache.store(new, for: CachePlay.key(index))
            } else {
                try? await cache.update(new.metadata, for: CachePlay.key(index))
            }
            let found = try? await cache.entry(for: CachePlay.key(index))
            FileSizeLimit.lift()
            // Metadata that was updated belongs to bytes of another number.
            let updated = DataEntry(old.data, metadata: new.metadata)
            try subject.require([nil, old, index % 2 == 0 ? new : updated].contains(found), "an entry is torn \(when)")
            let later = try? await cache.entry(for: CachePlay.key(index))
            try subject.require([nil, old, index % 2 == 0 ? new : updated].contains(later), "an entry is torn \(when)")
            let last = CachePlay.entry(index, byte: 3, byteCount: 2_000)
            try await subject.storing("storing after the disk was full") {
                try await cache.store(last, for: CachePlay.key(index))
            }
            try await subject.require(
                cache, has: last, for: CachePlay.key(index), "an entry stored after the disk was full")
        }
    }

    private static var playCount: Int { 6 }

    private func storeBystanders(in folder: URL) async throws {
        let (cache, subject) = try await made(in: folder)
        for number in 0..<3 {
            try await subject.storing {
                try await cache.store(.sample(number), for: CacheKey(source: "bystander \(number)"))
            }
        }
    }

    private func checkRemains(in folder: URL, _ circumstances: String) async throws {
        let (cache, subject) = try await made(in: folder, " \(circumstances)")
        for number in 0..<3 {
            try await subject.require(
                cache, has: .sample(number), for: CacheKey(source: "bystander \(number)"),
                "an entry that nobody touched, \(circumstances),")
        }
        for index in 0..<Self.playCount {
            try CachePlay.check(try? await cache.entry(for: CachePlay.key(index)), index, subject, circumstances)
        }
        try await subject.storing("storing \(circumstances)") { try await cache.store(.sample(7), for: .a) }
        try await subject.require(cache, has: .sample(7), for: .a, "an entry stored \(circumstances)")
    }
}

/// The longest that a file of this process may become.
private enum FileSizeLimit {
    static func set(_ byteCount: Int) {
        // What does not fit is then an error of the write, and no signal that ends the process.
        signal(SIGXFSZ, SIG_IGN)
        change(to: rlim_t(byteCount))
    }

    static func lift() { change(to: nil) }

    private static func change(to byteCount: rlim_t?) {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let resource = RLIMIT_FSIZE
        #endif
        var limit = rlimit()
        unsafe getrlimit(resource, &limit)
        limit.rlim_cur = byteCount ?? limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }
}

extension URL {
    fileprivate func subfolder(_ name: String) throws -> URL {
        let folder = appending(path: name, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private var note: URL { appending(path: "violation.txt") }

    /// Leaves `error` for the parent.
    fileprivate func leave(_ error: any Error) {
        let violation = error as? ContractViolation
        let text = "\(violation?.subject ?? "A data cache")\n\(violation?.message ?? "\(error)")"
        try? Data(text.utf8).write(to: note)
    }

    /// Throws what a child has left.
    fileprivate func throwViolation() throws {
        guard let text = try? String(contentsOf: note, encoding: .utf8) else { return }
        let lines = text.split(separator: "\n", maxSplits: 1)
        throw ContractViolation(subject: String(lines[0]), message: String(lines.dropFirst().first ?? ""))
    }
}
