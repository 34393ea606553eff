import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DarkroomFile

/// Tests files on a disk that does not answer, such as one on a network.
@Suite(.bounded) struct HangingFileTests {
    private let folder: TemporaryDirectory
    private let otherDisk: TemporaryDirectory
    private let file: URL
    private let clock = ManualClock()
    private let disk = HangingDisk()
    private let watch: HangWatch
    private let manager: ImageManager
    private let context = ImageContext { $0.encodedFormat = .only(.plain) }

    init() throws {
        (folder, otherDisk) = (try TemporaryDirectory(), try TemporaryDirectory())
        file = try folder.write(Darkbox.file, to: "a.plain")
        watch = HangWatch(limit: .seconds(4), clock: clock)
        let watches = Mutex([watch])
        let table = "1 2 0:3 / \(otherDisk.url.path) rw - nfs"
        let disks = Disks {
            table
        } makeDisk: {
            Disk(
                files: WorkExecutor(name: "test", width: 2),
                watch: watches.withLock { $0.popLast() } ?? HangWatch(clock: ManualClock()))
        }
        let loader = FileLoader(disks: disks, faults: disk.faults)
        manager = try ImageManager {
            $0.install(FakeLoader(Darkbox.file))
            $0.install(loader)
            $0.install(PlainCoder())
            $0.imageCache = FakeImageCache()
        }
    }

    @Test func loadsFailUntilTheDiskAnswersAndStopNothingElse() async throws {
        _ = try await manager.load(file, context: context)
        disk.hang()
        // More than there are threads for tasks.
        let images = (0..<32).map { _ in Task { try await manager.load(file, context: context) } }
        let files = (0..<32).map { _ in Task { try await manager.encoded(file, context: context) } }
        await disk.arrivals.waitForArrivals(2)
        _ = try await manager.load(Darkbox.url)
        await giveUp()
        for image in images { #expect(try await image.value.isStale, "the one in memory is better than none") }
        for file in files { #expect(try await file.value.isStale) }
        let error = await #expect(throws: ImageError.self) {
            try await manager.load(folder.url.appending(component: "b.plain"))
        }
        #expect(error?.kind == .timedOut)
        #expect(error?.message.contains("an operation has not ended for 4.0 seconds") == true)

        disk.answer()
        await StateChanges.wait { !watch.isHanging }
        #expect(try await !manager.load(file, context: context).isStale)
        #expect(try await !manager.encoded(file, context: context).isStale)
    }

    @Test func filesOfAnotherDiskAreLoaded() async throws {
        let other = try otherDisk.write(Darkbox.file, to: "b.plain")
        disk.hang(count: 1)
        let load = Task { try await manager.load(file, context: context) }
        await disk.arrivals.waitForArrivals()
        _ = try await manager.load(other, context: context)
        await giveUp()
        await #expect(throws: ImageError.self) { try await load.value }
        await #expect(throws: ImageError.self) { try await manager.load(file, context: context) }
        #expect(try await !manager.load(other, context: context).isStale)
        #expect(try await !manager.encoded(other, context: context).isStale)
        disk.answer()
        await StateChanges.wait { !watch.isHanging }
        _ = try await manager.load(file, context: context)
    }

    @Test func deadlineEndsALoadOfAFileThatHangs() async throws {
        _ = try await manager.load(file, context: context)
        disk.hang()
        let load = Task { try await manager.load(file, context: context, within: .seconds(1), clock: clock) }
        await disk.arrivals.waitForArrivals()
        await clock.waitForSleeps(2)
        clock.advance(by: .seconds(1))
        await #expect(throws: ImageError.self) { try await load.value }
        disk.answer()
    }

    private func giveUp() async {
        for tick in 1...5 {
            await clock.waitForSleeps(tick)
            clock.advance(by: .seconds(1))
        }
    }
}
