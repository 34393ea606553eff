import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// Tests a cache whose folder may only be read, because every attempt to write in it fails.
@Suite(.bounded) struct ReadOnlyFolderTests {
    private let folder: TemporaryDirectory
    private let failures = FailureInjector()
    private let reports = Recorder<ImageError>()
    private let clock = ManualTime()

    init() async throws {
        folder = try TemporaryDirectory()
        let cache = try folder.cache()
        try await cache.store(DataEntry(Data([1])), for: "a")
        try await cache.store(DataEntry(Data([2])), for: "b")
        await cache.waitForOpeningScan()
    }

    /// Opens the folder after making it unwritable.
    private func readOnlyCache(_ code: Int32 = EROFS) throws -> DiskDataCache {
        failures.start(code)
        let failureReports = FailureReports({ [reports] in reports.note($0) }, clock: { [clock] in clock.value })
        return try folder.cache(faults: failures.faults, failures: failureReports)
    }

    @Test(arguments: [EROFS, EACCES, EPERM]) func entriesAreServed(_ code: Int32) async throws {
        let before = try folder.contents()
        let cache = try readOnlyCache(code)
        await cache.waitForOpeningScan()
        #expect(try await cache.entry(for: "a")?.data == Data([1]))
        #expect(try await cache.peek(at: "b")?.data == Data([2]))
        #expect(try await cache.contains("a"))
        #expect(try await cache.entry(for: "c") == nil)
        #expect(try await cache.usage() == .init(count: 2, byteCount: 2))
        #expect(try await cache.verify().intactCount == 2)
        #expect(try folder.contents() == before)
        #expect(reports.values.count == 1)
        let report = try #require(reports.values.first)
        #expect(report.message.contains("\(folder.url.path) can only be read") && report.kind == .storage)
    }

    @Test func storesAndRemovalsThrowAndAreReportedOnce() async throws {
        let before = try folder.contents()
        let cache = try readOnlyCache()
        await cache.waitForOpeningScan()
        let operations: [(DiskDataCache) async throws -> Void] = [
            { try await $0.store(DataEntry(Data([3])), for: "a") },
            { try await $0.store(DataEntry(Data([3])), for: "c") },
            { try await $0.remove("a") },
            { try await $0.removeAll(ofSource: "a") },
            { try await $0.removeAll() },
            { try await $0.trim() },
            { try await $0.setByteLimit(1) },
        ]
        for operation in operations {
            clock.advance(by: .seconds(3600))
            let error = await #expect(throws: ImageError.self) { try await operation(cache) }
            #expect(error?.message.contains("can only be read") == true)
        }
        #expect(reports.values.count == 1)
        #expect(try await cache.stats().failureCount == 1 + operations.count)
        #expect(try folder.contents() == before)
    }

    @Test func storesOfLoadsAndUpdatesDoNothing() async throws {
        let before = try folder.contents()
        let cache = try readOnlyCache()
        let ticket = try await cache.ticket(forSource: "a")
        try await cache.store(DataEntry(Data([3])), for: "a", with: ticket)
        let generation = try await cache.startGeneration(of: SourceResponse(of: "c", at: .now()), after: ticket)
        try await cache.store(DataEntry(Data([3])), for: "c", with: try #require(generation))
        #expect(try await cache.startGeneration(of: SourceResponse(of: "c", at: .now()), after: nil) != nil)
        try await cache.update(EntryRecordTests.full, for: "a")
        #expect(try await cache.stats().failureCount == 1)
        #expect(try folder.contents() == before)
        await #expect(throws: ImageError.self, "an entry cannot be replaced") {
            try await cache.startGeneration(of: SourceResponse(of: "a", at: .now()), after: nil)
        }
    }

    @Test func expiredAndDamagedEntriesAreMisses() async throws {
        try folder.age("a", bySeconds: 8 * 24 * 3600)
        try Data([7]).write(to: folder.file(of: "b"))
        let cache = try readOnlyCache()
        for key: CacheKey in ["a", "b"] {
            #expect(try await cache.entry(for: key) == nil)
            #expect(try await !cache.contains(key))
        }
        #expect(try await cache.stats().failureCount == 1)
        await #expect(throws: ImageError.self) { try await cache.verify() }
        #expect(try folder.files().count == 2, "they stay")
    }

    /// A process that may write was killed when it had removed nothing yet.
    @Test func entriesWhoseRemovalWasInterruptedAreMisses() async throws {
        try folder.beginRemoval(ofSource: "a")
        let cache = try readOnlyCache()
        #expect(try await cache.entry(for: "a") == nil)
        #expect(try await cache.peek(at: "a") == nil)
        #expect(try await !cache.contains("a"))
        #expect(try await cache.usage().count == 1)
        #expect(try await cache.entry(for: "b")?.data == Data([2]))
        failures.end()
        _ = try await cache.ticket(forSource: "a")
        #expect(!FileManager.default.fileExists(atPath: folder.file(of: "a").path))
    }

    @Test func removalsOfOtherProcessesAreSeen() async throws {
        let (reader, writer) = (try readOnlyCache(), try folder.cache())
        #expect(try await reader.contains("a") && reader.store.contains("b"))
        try await writer.removeAll(ofSource: "a")
        #expect(try await reader.entry(for: "a") == nil)
        try await writer.store(DataEntry(Data([3])), for: "b")
        #expect(try await reader.entry(for: "b")?.data == Data([3]))
    }

    @Test func cacheStoresAsSoonAsTheFolderIsWritable() async throws {
        let cache = try readOnlyCache()
        for count in 1...2 {
            #expect(try await cache.ticket(forSource: "c").isRefused)
            failures.end()
            let ticket = try await cache.ticket(forSource: "c")
            try await cache.store(DataEntry(Data([3])), for: "c", with: ticket)
            #expect(try await cache.entry(for: "c")?.data == Data([3]))
            try await cache.removeAll(ofSource: "c")
            clock.advance(by: .seconds(60))
            failures.start(EROFS)
            await #expect(throws: ImageError.self) { try await cache.store(DataEntry(Data([4])), for: "c") }
            #expect(reports.values.count == count + 1, "it is reported again")
        }
    }

    @Test func folderThatCannotBeCreatedIsAnError() throws {
        failures.start(EROFS)
        let missing = FilePath(text: folder.url.path + "/missing", faults: failures.faults)
        let error = #expect(throws: ImageError.self) {
            try DiskDataCache(at: missing, limits: EntryStore.Limits(byteCount: 1))
        }
        #expect(error?.message.contains("directory \(missing.text) cannot be used") == true)
        #expect(error?.kind == .storage)
    }

    @Test func folderThatCannotBeListedIsAnError() throws {
        failures.start(EACCES, in: [.create, .open])
        let path = FilePath(text: folder.url.path, faults: failures.faults)
        #expect(throws: ImageError.self) { try DiskDataCache(at: path, limits: EntryStore.Limits(byteCount: 1)) }
    }

    @Test func nothingMovesIntoTheFolder() async throws {
        let other = try TemporaryDirectory()
        try await other.cache().store(DataEntry(Data([3])), for: "c")
        failures.start(EROFS)
        let destination = FilePath(text: folder.url.path, faults: failures.faults)
        await #expect(throws: ReadOnlyFolder.self) {
            try await EntryDirectory.move(from: FilePath(text: other.url.path), to: destination)
        }
        #expect(try await other.cache().contains("c"))
    }

    @Test func higherTierStoresWhatTheFolderCannot() async throws {
        let upper = FakeDataCache()
        let tiers = TieredDataCache([upper, try readOnlyCache()], policies: .inclusive)
        let ticket = try await tiers.ticket(forSource: "c")
        #expect(!ticket.isRefused)
        try await tiers.store(DataEntry(Data([3])), for: "c", with: ticket)
        #expect(upper.keys == ["c"])
    }
}

/// The loads of a manager whose disk cache may only be read.
extension ReadOnlyFolderTests {
    private struct Listener: LoadObserver {
        let failures = Recorder<Bool>()
        func loadEnded(_ record: LoadRecord) {}
        func cacheFailed(_ error: any Error, isRead: Bool, key: CacheKey) { failures.note(isRead) }
    }

    private func manager(
        _ cache: DiskDataCache, _ listener: Listener = Listener(), serving bitmap: Bitmap = .testCard(12, 8)
    ) throws -> ImageManager {
        try ImageManager {
            $0.install(FakeLoader(PlainCoder.file(of: bitmap)))
            $0.install(PlainCoder())
            $0.install(listener)
            $0.resultFormat = .plain
            $0.dataCache = cache
        }
    }

    @Test func imageThatTheAppStoresIsRefused() async throws {
        let manager = try manager(try readOnlyCache())
        let url = try #require(URL(string: "http://example.com/a.plain"))
        let image = try await manager.load(url).image
        for context in [ImageContext(), ImageContext { $0.thumbnail = .fit(6, 6) }] {
            let error = await #expect(throws: ImageError.self) {
                try await manager.store(image, for: url, context: context)
            }
            #expect(error?.kind == .refused)
        }
    }

    @Test func loadsAreServedAndNoFailureIsReported() async throws {
        let urls = try ["stored", "other"].map { try #require(URL(string: "http://example.com/\($0).plain")) }
        let context = ImageContext { $0.thumbnail = .fit(6, 6) }
        let writable = try folder.cache()
        await writable.waitForOpeningScan()
        let first = try manager(writable)
        _ = try await first.load(urls[0], context: context)
        await first.waitForStores()
        let before = try folder.contents()

        let (cache, listener) = (try readOnlyCache(), Listener())
        let manager = try manager(cache, listener)
        #expect(try await manager.load(urls[0], context: context).origin == .disk)
        #expect(try await manager.load(urls[0]).origin == .disk)
        #expect(try await manager.load(urls[1], context: context).origin == .network)
        await manager.waitForStores()
        #expect(try await manager.load(urls[1]).origin == .network, "nothing was stored")
        await manager.waitForStores()
        #expect(listener.failures.values.isEmpty && reports.values.count == 1)
        #expect(try folder.contents() == before)

        let loaderOnly = ImageContext { $0.cacheUse = .loaderOnly }
        _ = try await manager.load(urls[0], context: loaderOnly)
        #expect(listener.failures.values.isEmpty, "the bytes are the same")
        let changed = try self.manager(cache, listener, serving: .testCard(10, 8))
        _ = try await changed.load(urls[0], context: loaderOnly)
        #expect(listener.failures.values == [false], "a replaced entry stays")
        await #expect(throws: ImageError.self) { try await manager.removeAll(of: urls[0]) }
    }
}

extension TemporaryDirectory {
    /// Returns the state of all files that a write would change.
    func contents() throws -> [String: [Int]] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: url.path)
        return try Dictionary(
            uniqueKeysWithValues: paths.map { path in
                let status = try FileStatus(of: FilePath(text: url.appending(path: path).path))
                return (path, [status.byteCount, status.modificationTime.nanoseconds])
            })
    }

    /// Leaves the folder as a process that was killed before it has removed the first entry of `source`.
    func beginRemoval(ofSource source: String) throws {
        try ShardUsage(FilePath(text: url.appending(path: "darkroom-usage").path)).withLock { table in
            let shard = Shard(ofSource: source)
            var generations = try table.generations(of: shard)
            generations.isInRemoval = true
            try table.setGenerations(generations, of: shard)
        }
    }
}
