import DarkroomCore
import DarkroomPlatform
import Dispatch

extension DataCacheContract {
    /// Does the work of a child process, and then kills the process. The check that created `child` throws the violations.
    public func run(_ child: Child) async {
        child.recordStart()
        do {
            let (cache, subject) = try await openCache(in: child.folder.cacheFolder)
            switch child.work {
            case .use(let microseconds): try await use(cache, of: subject, seed: child.seed, killedAfter: microseconds)
            case .store(let limit): try await store(in: cache, of: subject, under: limit)
            }
        } catch {
            child.record(error)
        }
        kill(getpid(), SIGKILL)
    }

    private func use(
        _ cache: any DataCache, of subject: Subject, seed: UInt64, killedAfter microseconds: Int
    ) async throws {
        DispatchQueue(label: "killer").asyncAfter(deadline: .now() + .microseconds(microseconds)) {
            kill(getpid(), SIGKILL)
        }
        var operations = RandomCacheOperations(seed: seed)
        while true { try await operations.step(on: cache, of: subject) }
    }

    /// Alternates between storing and updating under `limit`, each followed by a store without it.
    private func store(in cache: any DataCache, of subject: Subject, under limit: ProcessLimit) async throws {
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
    private var startMarker: URL { folder.appending(path: "ran-\(seed)") }
    private var violationFile: URL { folder.appending(path: "violation-\(seed)") }

    /// Shows the parent that the child has started.
    fileprivate func recordStart() { try? Data().write(to: startMarker) }

    /// Saves `error` for the parent.
    fileprivate func record(_ error: any Error) {
        let violation = error as? ContractViolation
        let text = "\(violation?.subject ?? "A data cache")\n\(violation?.message ?? "\(error)")"
        try? Data(text.utf8).write(to: violationFile, options: .atomic)
    }

    /// Throws the violation that the child has recorded, or one that states that the child was not run.
    func rethrowViolation() throws {
        guard FileManager.default.fileExists(atPath: startMarker.path) else {
            throw ContractViolation(subject: "A data cache", message: "its contract was not run in another process")
        }
        guard let text = try? String(contentsOf: violationFile, encoding: .utf8) else { return }
        let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
        throw ContractViolation(subject: lines.first ?? "", message: lines.dropFirst().first ?? "")
    }
}

extension URL {
    /// The folder of the cache within the folder of a check.
    var cacheFolder: URL { appending(path: "cache", directoryHint: .isDirectory) }
}
