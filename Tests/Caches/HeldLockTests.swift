import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// Tests a cache whose totals another process has locked, and does not unlock, because it was stopped by Control-Z.
@Suite(.bounded) struct HeldLockTests {
    private let folder: TemporaryDirectory
    private let usage: FilePath

    init() throws {
        folder = try TemporaryDirectory()
        usage = FilePath(text: folder.url.appending(path: "darkroom-usage").path)
    }

    /// Each of so many operations would wait for seconds if the first one did not wait for all.
    @Test func onlyOneOperationWaitsForTheLock() async throws {
        let reports = Recorder<ImageError>()
        let cache = try folder.cache(scanInterval: nil, failures: FailureReports { reports.note($0) })
        let entry = DataEntry(Data([1]))
        try await cache.store(entry, for: "a")
        let holder = try FileDescriptor(usage, for: .changing)
        try holder.lock(within: .zero)
        await withTaskGroup { group in
            for index in 0..<100 {
                let key = CacheKey(source: "\(index)")
                group.addTask {
                    await #expect(throws: ImageError.self) { try await cache.store(entry, for: key) }
                    await #expect(throws: ImageError.self) { try await cache.ticket(forSource: key.source) }
                    await #expect(throws: ImageError.self) { try await cache.removeAll(ofSource: key.source) }
                }
            }
        }
        #expect(reports.values.map(\.kind) == [.storage])
        #expect(reports.values.first?.message.contains("another process holds its lock") == true)
        holder.unlock()
        for index in 0..<100 { try await cache.store(entry, for: CacheKey(source: "\(index)")) }
        #expect(try await cache.entry(for: "a")?.data == entry.data)
        #expect(try await cache.stats().usage.count == 101)
    }

    /// Otherwise, a server cannot be restarted.
    @Test func cacheIsOpenedWhileTheLockIsHeld() async throws {
        try await folder.cache(scanInterval: nil).store(DataEntry(Data([1])), for: "a")
        let holder = try FileDescriptor(usage, for: .changing)
        try holder.lock(within: .zero)
        // It waits, so not on a thread that other tests need.
        let cache = try await WorkExecutor(name: "opening", width: 1).run { [folder] in try folder.cache() }
        await #expect(throws: ImageError.self) { try await cache.store(DataEntry(Data([2])), for: "b") }
        holder.unlock()
        try await cache.store(DataEntry(Data([2])), for: "b")
        #expect(try await cache.entry(for: "a")?.data == Data([1]))
    }
}
