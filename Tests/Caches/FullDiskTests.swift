import DarkroomFiles

#if canImport(Glibc)
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import Glibc
    import TestSupport
    import Testing

    @testable import DarkroomCaches

    /// Removals on a file system without any space left. `RemovalModelTests` injects that everywhere.
    @Suite(
        .bounded,
        .enabled(if: PrivateMount.isPermitted, "a full disk is not tested: the process may not mount a file system"))
    struct FullDiskTests {
        enum Removal: CaseIterable, Sendable {
            case entry, source, sourceByManager, all, allByManager, limit, trim, replacement
        }

        enum CountsFile: CaseIterable, Sendable {
            /// It has its space, as a cache makes it.
            case reserved
            /// It has space only for what was written, as an older version made it.
            case sparse
        }

        private static let sources = (0..<40).map { "http://example.com/\($0).plain" }

        private let mountPoint: TemporaryDirectory
        private let disk: SmallDisk
        private let reports = Recorder<ImageError>()

        private var folder: URL { URL(filePath: disk.path + "/cache", directoryHint: .isDirectory) }

        init() throws {
            mountPoint = try TemporaryDirectory()
            disk = try SmallDisk(byteCount: 3 << 20, at: mountPoint.url.path)
        }

        /// Fills the disk, after storing an entry of each source as `counts` permits.
        private func fill(_ counts: CountsFile) async throws -> DiskDataCache {
            let faults = FileFaults { call, byteCount throws(SystemError) in
                if counts == .sparse, call == .reserve { throw SystemError(code: EOPNOTSUPP) }
                return byteCount
            }
            let directory = EntryDirectory(FilePath(text: folder.path, faults: faults))
            try directory.prepare()
            let store = EntryStore(directory, limits: .init(byteCount: 1 << 30))
            for source in Self.sources { try store.store(Self.entry, for: CacheKey(source: source)) }
            try disk.fill("filler")
            let cache = try DiskDataCache(directory: folder) { [reports] in reports.note($0) }
            await cache.waitForOpeningScan()
            await #expect(throws: ImageError.self) {
                try await cache.store(DataEntry(Data(count: 1 << 16)), for: "large")
            }
            return cache
        }

        private static var entry: DataEntry { DataEntry(Data(repeating: 7, count: 5000)) }

        @Test(arguments: Removal.allCases, CountsFile.allCases)
        func removalSucceeds(_ removal: Removal, _ counts: CountsFile) async throws {
            let cache = try await fill(counts)
            let tickets = try await tickets(in: cache)
            let removed = try await remove(removal, from: cache)
            #expect(try await contents(of: cache).isDisjoint(with: removed))
            if removed.count < Self.sources.count {
                #expect(try await contents(of: cache).count == Self.sources.count - removed.count)
            }
            // Loads in flight store nothing of what was removed, even when there is space again.
            try FilePath(text: disk.path).appending("filler").remove()
            guard removal != .limit, removal != .trim else { return }
            for source in removed {
                try await cache.store(Self.entry, for: CacheKey(source: source), with: try #require(tickets[source]))
            }
            #expect(try await contents(of: cache).isDisjoint(with: removed))
            for source in removed { try await cache.store(Self.entry, for: CacheKey(source: source)) }
            #expect(try await contents(of: cache).isSuperset(of: removed))
        }

        /// There is nothing whose removal makes space.
        @Test(arguments: [Removal.entry, .source, .all]) func removalOfNothingSucceeds(_ removal: Removal) async throws
        {
            try disk.fill("filler")
            let cache = try DiskDataCache(directory: folder)
            await cache.waitForOpeningScan()
            let tickets = try await tickets(in: cache)
            let removed = try await remove(removal, from: cache)
            try FilePath(text: disk.path).appending("filler").remove()
            for (source, ticket) in tickets where removed.contains(source) {
                try await cache.store(Self.entry, for: CacheKey(source: source), with: ticket)
            }
            #expect(try await contents(of: cache).isEmpty)
        }

        /// Removes something, and returns the sources that have no entry then.
        private func remove(_ removal: Removal, from cache: DiskDataCache) async throws -> Set<String> {
            let first = Self.sources[0]
            let manager = try ImageManager {
                $0.install(FakeLoader(Data()))
                $0.install(PlainCoder())
                $0.dataCache = cache
            }
            switch removal {
            case .entry: try await cache.remove(CacheKey(source: first))
            case .source: try await cache.removeAll(ofSource: first)
            case .sourceByManager: try await manager.removeAll(of: try #require(URL(string: first)))
            case .replacement:
                let response = SourceResponse(of: first, at: .now(), revision: "new")
                #expect(try await cache.startGeneration(of: response, after: nil) != nil)
            case .all: try await cache.removeAll()
            case .allByManager: try await manager.removeAll()
            case .limit: try await cache.setByteLimit(0)
            case .trim:
                cache.store.changeLimits { $0.byteCount = 1 }
                try await cache.trim()
            }
            return [.all, .allByManager, .limit, .trim].contains(removal) ? Set(Self.sources) : [first]
        }

        private func tickets(in cache: DiskDataCache) async throws -> [String: StoreTicket] {
            var tickets: [String: StoreTicket] = [:]
            for source in Self.sources { tickets[source] = try await cache.ticket(forSource: source) }
            return tickets
        }

        private func contents(of cache: DiskDataCache) async throws -> Set<String> {
            var found: Set<String> = []
            for source in Self.sources where try await cache.contains(CacheKey(source: source)) { found.insert(source) }
            return found
        }
    }
#endif
