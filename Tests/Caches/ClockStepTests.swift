import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// Entries and scans from the time of a clock that was wrong.
@Suite(.bounded) struct ClockStepTests {
    private static let ageLimit = 7 * 86_400
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func cache(byteLimit: Int = 1 << 30, date: ExpiryDate = .access) async throws -> DiskDataCache {
        let cache = try DiskDataCache(
            at: FilePath(text: folder.url.path),
            limits: .init(byteCount: byteLimit, age: .seconds(Self.ageLimit), date: date, maximumUseLag: .seconds(300)))
        await cache.waitForOpeningScan()
        return cache
    }

    /// Makes `seconds` from now the time at which everything happened.
    private func step(_ seconds: Int, _ keys: [CacheKey]) throws {
        for key in keys { try folder.age(folder.file(of: key), access: -seconds, modification: -seconds) }
    }

    @Test(arguments: [-10 * 365 * 86_400, -86_400, -3601, -1, 1, 3601, 86_400, 10 * 365 * 86_400])
    func entriesExpireOnlyByTimesInThePast(_ seconds: Int) async throws {
        let cache = try await cache()
        try await cache.store(DataEntry(Data([1])), for: "a")
        try step(seconds, ["a"])
        let isExpired = -seconds >= Self.ageLimit
        #expect(try await cache.contains("a") == !isExpired)
        #expect(try await cache.entry(for: "a")?.data == (isExpired ? nil : Data([1])))
        guard !isExpired else { return }
        // A use replaces a time in the future.
        let used = try FileStatus(of: FilePath(text: folder.file(of: "a").path)).accessTime
        #expect(used <= .now)
        #expect(try await cache.stats().usage.count == 1)
    }

    @Test(arguments: [2 * 86_400, 10 * 365 * 86_400], [ExpiryDate.access, .modification])
    func entriesFromTheFarFutureAreEvictedFirst(_ seconds: Int, _ date: ExpiryDate) async throws {
        for isTrimmed in [false, true] {
            let cache = try await cache(date: date)
            let keys = ["a", "b", "c"] as [CacheKey]
            for key in keys { try await cache.store(DataEntry(Data(count: 1000)), for: key) }
            try step(seconds, [keys[0], keys[2]])
            let byteCount = try folder.byteCount()
            if isTrimmed {
                cache.store.changeLimits { $0.byteCount = byteCount - 1 }
                try await cache.trim()
            } else {
                try await cache.setByteLimit(byteCount / 2)
            }
            #expect(try await cache.contains("b"))
            #expect(try await cache.stats().usage.count == 1)
        }
    }

    /// Times that no system call returns as they were set.
    @Test(arguments: [Int.min, -1, 0, 1 << 62, Int.max]) func extremeTimesAreNoFailure(_ nanoseconds: Int) async throws
    {
        let cache = try await cache()
        for index in 0..<3 {
            let key = CacheKey(source: "\(index)")
            try await cache.store(DataEntry(Data(count: 100)), for: key)
            let time = FileTime(nanoseconds: nanoseconds)
            try? FileDescriptor(FilePath(text: folder.file(of: key).path), for: .reading)
                .setTimes(access: time, modification: time)
        }
        try cache.store.directory.usage.withLock { try $0.setLastScan(FileTime(nanoseconds: nanoseconds)) }
        #expect(try cache.store.directory.isScanDue(after: .seconds(3600)))
        _ = try await cache.entry(for: "0")
        try await cache.trim()
        try await cache.setByteLimit(1)
        #expect(try cache.store.directory.total() == .none)
    }

    /// After a power failure, the totals may be older than the entries, however recent the scan.
    @Test func scanIsDueAfterAStartOfTheSystem() async throws {
        let directory = try await cache().store.directory
        #expect(try !directory.isScanDue(after: .seconds(3600)))
        #expect(try directory.isScanDue(after: .seconds(3600), systemStart: .now))
        #expect(FileTime.systemStart < .now)
    }
}
