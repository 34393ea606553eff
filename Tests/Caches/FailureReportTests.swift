import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DarkroomCaches

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A cache that cannot do its work for a while: it says so, now and then, and goes on afterwards.
@Suite struct FailureReportTests {
    private let folder: TemporaryDirectory
    private let reports = Recorder<ImageError>()
    private let now = Instant()

    private let trouble = Trouble()

    init() throws { folder = try TemporaryDirectory() }

    private func cache() throws -> DiskDataCache {
        let failures = FailureReports({ [reports] in reports.note($0) }, clock: { [now] in now.value })
        return try folder.cache(faults: trouble.faults, failures: failures)
    }

    @Test(arguments: [ENOSPC, EROFS, EACCES, EDQUOT, EIO])
    func oneOfManyEqualFailuresIsReportedAndThenAllIsWell(_ number: Int32) async throws {
        let cache = try cache()
        await cache.waitForOpeningScan()
        try await cache.store(DataEntry(Data([1])), for: "a")
        trouble.start(number)
        for index in 0..<10 {
            await #expect(throws: ImageError.self) {
                try await cache.store(DataEntry(Data([2])), for: CacheKey(source: "\(index)"))
            }
        }
        #expect(reports.values.count == 1)
        #expect(reports.values.first?.message.contains(folder.url.path) == true)
        trouble.end()
        #expect(try await cache.stats().failureCount == 10)
        #expect(try await cache.entry(for: "a")?.data == Data([1]))
        try await cache.store(DataEntry(Data([3])), for: "a")
        #expect(try await cache.entry(for: "a")?.data == Data([3]))
        #expect(try folder.files().count == 1)
    }

    @Test func aMinuteLaterItIsReportedAgain() async throws {
        let cache = try cache()
        await cache.waitForOpeningScan()
        for (number, reportCount) in [(ENOSPC, 1), (EROFS, 2), (ENOSPC, 2)] {
            trouble.start(number)
            try? await cache.store(DataEntry(Data([1])), for: "a")
            #expect(reports.values.count == reportCount, "each reason counts for itself")
        }
        now.advance(by: .seconds(60))
        try? await cache.store(DataEntry(Data([1])), for: "a")
        #expect(reports.values.count == 3)
    }

    @Test func aFolderThatBecomesReadOnlyStillAnswers() async throws {
        let cache = try cache()
        await cache.waitForOpeningScan()
        try await cache.store(DataEntry(Data([1])), for: "a")
        trouble.start(EROFS)
        await #expect(throws: ImageError.self) { try await cache.remove("a") }
        #expect(try await cache.entry(for: "a")?.data == Data([1]))
        #expect(try await cache.contains("a"))
        #expect(try await cache.stats().usage.count == 1)
    }

    @Test(arguments: [EROFS, EACCES]) func aReadOnlyFolderIsAnErrorAtTheStart(_ number: Int32) throws {
        trouble.start(number)
        let error = #expect(throws: ImageError.self) { try cache() }
        #expect(error?.message.contains("directory \(folder.url.path)") == true)
        #expect(error?.kind == .storage)
    }

    @Test func aFullDiskIsNoReasonNotToStart() async throws {
        trouble.start(ENOSPC)
        let cache = try cache()
        #expect(reports.values.count == 1)
        trouble.end()
        try await cache.store(DataEntry(Data([1])), for: "a")
        #expect(try await cache.entry(for: "a")?.data == Data([1]))
    }

    @Test func whatCannotBeReadIsLeftByACheck() async throws {
        let cache = try cache()
        try await cache.store(DataEntry(Data([1])), for: "a")
        await cache.waitForOpeningScan()
        trouble.start(EIO, in: [.open])
        #expect(try await cache.verify() == .init())
        #expect(reports.values.count == 1)
        trouble.end()
        #expect(try await cache.verify().intactCount == 1)
    }
}

/// Makes some sorts of calls fail for a while.
private final class Trouble: Sendable {
    private struct State {
        var code: Int32?
        var calls: Set<FileCall> = []
    }

    private let state = Mutex(State())

    var faults: FileFaults {
        FileFaults { [self] call, byteCount throws(SystemError) in
            guard let code = state.withLock({ $0.calls.contains(call) ? $0.code : nil }) else { return byteCount }
            throw SystemError(code: code)
        }
    }

    /// From now on `calls` fail, or else all that change something.
    func start(_ code: Int32, in calls: Set<FileCall> = [.create, .write, .move, .remove, .makeFolder, .setTimes]) {
        state.withLock { $0 = State(code: code, calls: calls) }
    }

    func end() { state.withLock { $0 = State() } }
}

private final class Instant: Sendable {
    private let state = Mutex(ContinuousClock.now)
    var value: ContinuousClock.Instant { state.withLock { $0 } }
    func advance(by duration: Duration) { state.withLock { $0 += duration } }
}
