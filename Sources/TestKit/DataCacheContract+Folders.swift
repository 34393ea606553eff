import DarkroomCore
import DarkroomPlatform

extension DataCacheContract {
    /// Runs `body` with a cache in a folder of its own.
    func withCache(_ body: (any DataCache, Subject) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            let (cache, subject) = try await openCache(in: folder)
            try await body(cache, subject)
        }
    }

    /// Opens a cache in `folder`, which must succeed. `circumstances` begins with a space, for the message.
    func openCache(in folder: URL, _ circumstances: String = "") async throws -> (any DataCache, Subject) {
        do {
            let cache = try await makeCache(folder)
            return (cache, Subject(cache))
        } catch {
            throw ContractViolation(subject: "A data cache", message: "it cannot be created\(circumstances): \(error)")
        }
    }
}

extension Subject {
    /// Runs a call that must not fail, and converts its errors to violations.
    func storing(_ what: String = "storing", _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            if error is ContractViolation { throw error }
            throw violation("\(what) ends in \(error)")
        }
    }

    /// Throws a violation unless `cache` has exactly `expected` for `key`; `what` is the subject of its message.
    func require(_ cache: any DataCache, has expected: DataEntry?, for key: CacheKey, _ what: String) async throws {
        let (found, peeked, isContained): (DataEntry?, DataEntry?, Bool)
        do {
            (isContained, peeked) = (try await cache.contains(key), try await cache.peek(at: key))
            found = try await cache.entry(for: key)
        } catch {
            throw violation("reading \(what) ends in \(error)")
        }
        try require(
            isContained == (found != nil),
            "\(what) is \(found == nil ? "" : "not ")contained, but \(found == nil ? "cannot" : "can") be read")
        try require(peeked == found, "\(what) differs when peeked at")
        if let inMemory = cache.entryInMemory(for: key) {
            try require(inMemory == found, "\(what) differs in memory")
        }
        guard found != expected else { return }
        guard let found else { throw violation("\(what) is a miss") }
        guard let expected else { throw violation("\(what) is not a miss") }
        try require(
            found.data == expected.data, "\(what) has other bytes: \(found.data.count), not \(expected.data.count)")
        throw violation("\(what) has other metadata: \(found.metadata), not \(expected.metadata)")
    }
}
