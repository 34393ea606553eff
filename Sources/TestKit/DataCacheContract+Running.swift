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
    /// Does the work of a child process, and kills the process. What it finds wrong, the check that made `child` throws.
    public func run(_ child: Child) async {
        child.leaveSign()
        do {
            let (cache, subject) = try await made(in: child.folder.cacheFolder)
            switch child.work {
            case .play(let microseconds): try await play(child.seed, cache, subject, microseconds)
            case .store(let limit): try await store(cache, subject, under: limit)
            }
        } catch {
            child.leave(error)
        }
        kill(getpid(), SIGKILL)
    }

    private func play(_ seed: UInt64, _ cache: any DataCache, _ subject: Subject, _ microseconds: Int) async throws {
        DispatchQueue(label: "killer").asyncAfter(deadline: .now() + .microseconds(microseconds)) {
            kill(getpid(), SIGKILL)
        }
        var operations = RandomCacheOperations(seed: seed)
        while true { try await operations.step(on: cache, of: subject) }
    }

    /// Stores and updates in turn under `limit`, and then without it.
    private func store(_ cache: any DataCache, _ subject: Subject, under limit: ProcessLimit) async throws {
        for index in 0..<RandomCacheOperations.keyCount {
            let key = RandomCacheOperations.key(index)
            let old = RandomCacheOperations.entry(index, byte: 1, byteCount: 3_000)
            try await subject.storing { try await cache.store(old, for: key) }
            var new = RandomCacheOperations.entry(index, byte: 2, byteCount: 10_000 * (index % 3 + 1))
            limit.set()
            if index % 2 == 0 {
                try? await cache.store(new, for: key)
            } else {
                new = DataEntry(old.data, metadata: .numbered(index))
                try? await cache.update(new.metadata, for: key)
            }
            let found = try? await cache.entry(for: key)
            limit.lift()
            for entry in [found, try? await cache.entry(for: key)] where ![nil, old, new].contains(entry) {
                throw subject.violation("an entry is torn \(limit.circumstances)")
            }
            let last = RandomCacheOperations.entry(index, byte: 3, byteCount: 2_000)
            try await subject.storing("storing where it failed \(limit.circumstances)") {
                try await cache.store(last, for: key)
            }
            try await subject.require(cache, has: last, for: key, "an entry stored where that failed before")
        }
    }
}

extension DataCacheContract.Child {
    private var sign: URL { folder.appending(path: "ran-\(seed)") }
    private var note: URL { folder.appending(path: "violation-\(seed)") }

    /// Shows the parent that there was a child at all.
    fileprivate func leaveSign() { try? Data().write(to: sign) }

    /// Leaves `error` for the parent.
    fileprivate func leave(_ error: any Error) {
        let violation = error as? ContractViolation
        let text = "\(violation?.subject ?? "A data cache")\n\(violation?.message ?? "\(error)")"
        try? Data(text.utf8).write(to: note, options: .atomic)
    }

    /// Throws what the child has left, or a violation when there was no child.
    func throwWhatItLeft() throws {
        guard FileManager.default.fileExists(atPath: sign.path) else {
            throw ContractViolation(subject: "A data cache", message: "its contract was not run in another process")
        }
        guard let text = try? String(contentsOf: note, encoding: .utf8) else { return }
        let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
        throw ContractViolation(subject: lines.first ?? "", message: lines.dropFirst().first ?? "")
    }
}

extension URL {
    /// Where in the folder of a check the cache is.
    var cacheFolder: URL { appending(path: "cache", directoryHint: .isDirectory) }
}
