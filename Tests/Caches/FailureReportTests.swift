import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// Tests a cache that fails for a while: it reports failures at a limited rate, and recovers.
@Suite struct FailureReportTests {
    private let folder: TemporaryDirectory
    private let reports = Recorder<ImageError>()
    private let clock = ManualTime()

    private let failures = FailureInjector()

    init() throws { folder = try TemporaryDirectory() }

    private func cache() throws -> DiskDataCache {
        let failureReports = FailureReports({ [reports] in reports.note($0) }, clock: { [clock] in clock.value })
        return try folder.cache(faults: failures.faults, failures: failureReports)
    }

    @Test(arguments: [ENOSPC, EROFS, EACCES, EDQUOT, EIO])
    func repeatedFailureIsReportedOnceAndTheCacheRecovers(_ number: Int32) async throws {
        let cache = try cache()
        await cache.waitForOpeningScan()
        try await cache.store(DataEntry(Data([1])), for: "a")
        failures.start(number)
        for index in 0..<10 {
            await #expect(throws: ImageError.self) {
                try await cache.store(DataEntry(Data([2])), for: CacheKey(source: "\(index)"))
            }
        }
        #expect(reports.values.count == 1)
        #expect(reports.values.first?.message.contains(folder.url.path) == true)
        failures.end()
        #expect(try await cache.stats().failureCount == 10)
        #expect(try await cache.entry(for: "a")?.data == Data([1]))
        try await cache.store(DataEntry(Data([3])), for: "a")
        #expect(try await cache.entry(for: "a")?.data == Data([3]))
        #expect(try folder.files().count == 1)
    }

    @Test func failureIsReportedAgainAfterAMinute() async throws {
        let cache = try cache()
        await cache.waitForOpeningScan()
        for (number, reportCount) in [(ENOSPC, 1), (EROFS, 2), (ENOSPC, 2)] {
            failures.start(number)
            try? await cache.store(DataEntry(Data([1])), for: "a")
            #expect(reports.values.count == reportCount, "each cause is limited separately")
        }
        clock.advance(by: .seconds(60))
        try? await cache.store(DataEntry(Data([1])), for: "a")
        #expect(reports.values.count == 3)
    }

    @Test func readOnlyFolderStillServesHits() async throws {
        let cache = try cache()
        await cache.waitForOpeningScan()
        try await cache.store(DataEntry(Data([1])), for: "a")
        failures.start(EROFS)
        await #expect(throws: ImageError.self) { try await cache.remove("a") }
        #expect(try await cache.entry(for: "a")?.data == Data([1]))
        #expect(try await cache.contains("a"))
        #expect(try await cache.stats().usage.count == 1)
    }

    @Test func fullDiskIsNotAnErrorAtInit() async throws {
        failures.start(ENOSPC)
        let cache = try cache()
        #expect(reports.values.count == 1)
        failures.end()
        try await cache.store(DataEntry(Data([1])), for: "a")
        #expect(try await cache.entry(for: "a")?.data == Data([1]))
    }

    @Test func verifyKeepsUnreadableEntries() async throws {
        let cache = try cache()
        try await cache.store(DataEntry(Data([1])), for: "a")
        await cache.waitForOpeningScan()
        failures.start(EIO, in: [.open])
        #expect(try await cache.verify() == .init())
        #expect(reports.values.count == 1)
        failures.end()
        #expect(try await cache.verify().intactCount == 1)
    }
}
