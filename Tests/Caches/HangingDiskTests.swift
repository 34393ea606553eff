import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// Tests a cache whose disk does not answer, such as one on a network, or one that is frozen for a snapshot.
@Suite(.bounded) struct HangingDiskTests {
    private let folder: TemporaryDirectory
    private let clock = ManualClock()
    private let reports = Recorder<ImageError>()
    private let disk = HangingDisk()
    private let cache: DiskDataCache
    private let entry = DataEntry(Data([1]))

    init() throws {
        folder = try TemporaryDirectory()
        cache = try DiskDataCache(
            at: FilePath(text: folder.url.path, faults: disk.faults), limits: EntryStore.Limits(byteCount: 1 << 20),
            scanInterval: nil, failures: FailureReports { [reports] in reports.note($0) },
            watch: HangWatch(limit: .seconds(4), clock: clock))
    }

    @Test func operationsFailUntilTheDiskAnswers() async throws {
        try await cache.store(entry, for: "a")
        disk.hang()
        let storing = Task { try await cache.store(entry, for: "b") }
        await disk.arrivals.waitForArrivals()
        for tick in 1...5 {
            await clock.waitForSleeps(tick)
            clock.advance(by: .seconds(1))
        }
        await #expect(throws: ImageError.self) { try await storing.value }
        await #expect(throws: ImageError.self) { try await cache.entry(for: "a") }
        await #expect(throws: ImageError.self) { try await cache.trim() }
        let lookup = await cache.lookUp("a")
        #expect(lookup.ticket.isRefused)
        #expect(throws: ImageError.self) { try lookup.entry.get() }
        #expect(reports.values.map(\.kind) == [.storage])
        #expect(reports.values.first?.message.contains("an operation has not ended for 4.0 seconds") == true)

        disk.answer()
        // The operation that was given up ends first, and has stored its entry.
        await StateChanges.wait { !cache.worker.isHanging }
        #expect(try await cache.entry(for: "a") == entry)
        #expect(try await cache.entry(for: "b")?.data == entry.data)
        #expect(try await cache.stats().usage.count == 2)
    }
}
