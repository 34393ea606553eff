import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DarkroomCaches

@Suite(.bounded)
struct CancelledReadTests {
    private let folder: TemporaryDirectory
    private let disk = SlowDisk()

    init() throws { folder = try TemporaryDirectory() }

    @Test func cancelledReadsAreSkipped() async throws {
        let cache = try folder.cache(faults: disk.faults)
        try await cache.store(DataEntry(Data([1])), for: "a")
        await cache.waitForOpeningScan()
        disk.isSlow = true
        let first = (0..<2).map { _ in Task { try await cache.entry(for: "a") } }
        // Now both threads of the cache are busy, and all other operations must wait.
        await disk.opens.waitForValues(2)
        let abandoned = (0..<50).map { index in
            Task { index % 2 == 0 ? try await cache.entry(for: "a") != nil : try await cache.contains("a") }
        }
        await StateChanges.wait { cache.worker.waitingCount == 50 }
        for task in abandoned { task.cancel() }
        let last = Task { try await cache.entry(for: "a") }
        disk.release(100)
        for task in first + [last] { #expect(try await task.value?.data == Data([1])) }
        for task in abandoned {
            let error = await #expect(throws: ImageError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
        }
        #expect(disk.opens.values.count == 3)
        let stats = try await cache.stats()
        #expect(stats.hitCount == 3 && stats.missCount == 0 && stats.failureCount == 0)
    }

    @Test func cancelledTaskDoesNotQueue() async throws {
        let cache = try folder.cache()
        try await cache.store(DataEntry(Data([1])), for: "a")
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await cache.entry(for: "a")
        }
        await #expect(throws: ImageError.self) { try await task.value }
        #expect(try await cache.stats().hitCount == 0)
    }

    /// A store completes even if the load that caused it is cancelled.
    @Test func cancelledStoresComplete() async throws {
        let cache = try folder.cache()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await cache.store(DataEntry(Data([1])), for: "a")
        }
        try await task.value
        #expect(try await cache.entry(for: "a")?.data == Data([1]))
    }
}

/// A disk on which files open only when the test allows it.
private final class SlowDisk: Sendable {
    let opens = Recorder<FileOperation>()
    private let hold = DispatchSemaphore(value: 0)
    private let slow = Atomic(false)

    var isSlow: Bool {
        get { slow.load(ordering: .relaxed) }
        set { slow.store(newValue, ordering: .relaxed) }
    }

    var faults: FileFaults {
        FileFaults { [self] call, byteCount in
            if call == .open, isSlow {
                opens.note(call)
                hold.wait()
            }
            return byteCount
        }
    }

    /// Lets `count` files open, and later ones at once.
    func release(_ count: Int) { for _ in 0..<count { hold.signal() } }
}
