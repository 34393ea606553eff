@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct LoadReportTests {
    /// A loader that returns the file, and reports all milestones.
    private func tellingLoader() -> FakeLoader {
        FakeLoader { request in
            request.report(.started)
            request.report(.connected)
            request.report(.retries(after: .zero, because: ImageError(.network, .load, "broken")))
            request.report(.responded)
            return LoadResponse(.data(Darkbox.file))
        }
    }

    @Test func everyStageOfAColdLoadIsMeasured() async throws {
        let box = Darkbox(tellingLoader())
        let report = try await box.load {
            $0.thumbnail = .fit(6, 6)
            $0.transformers = [Darken()]
        }.report
        let steps = Set(report.stages.map(\.step))
        #expect(steps == [.disk, .queue, .connect, .firstByte, .body, .decode, .transform, .store])
        #expect(report.receivedByteCount == Darkbox.file.count && report.retryCount == 1)
        #expect(report.decision == .missing && !report.isJoined)
        for stage in report.stages { #expect(stage.duration >= .zero) }
        #expect(report.duration(of: .disk)! >= report.stages.first { $0.step == .disk }!.duration)
    }

    @Test func loaderWithoutMilestonesHasASingleWaitingStage() async throws {
        let report = try await Darkbox().load().report
        #expect(Set(report.stages.map(\.step)) == [.disk, .firstByte, .body, .decode, .store])
        #expect(report.duration(of: .queue) == nil)
    }

    @Test func memoryHitHasNoStages() async throws {
        let box = Darkbox()
        _ = try await box.load()
        let report = try await box.load().report
        #expect(report.stages.isEmpty && report.receivedByteCount == 0)
        #expect("\(report.decision)" == "fresh for ever")
    }

    @Test func joiningCallerSharesTheReport() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            })
        async let first = box.load()
        await gate.waitForArrivals()
        let joined = Recorder<Int>()
        async let second = box.load(joined: joined)
        await joined.waitForValues(1)
        gate.open()
        let reports = try await [first.report, second.report]
        #expect(reports.map(\.isJoined) == [false, true])
        #expect(reports.map(\.receivedByteCount) == [Darkbox.file.count, Darkbox.file.count])
    }

    @Test func sharedTransferIsReported() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            })
        async let whole = box.load()
        await gate.waitForArrivals()
        let joined = Recorder<Int>()
        async let small = box.load(joined: joined) { $0.thumbnail = .fit(6, 6) }
        await joined.waitForValues(1)
        gate.open()
        let reports = try await [whole.report, small.report]
        #expect(reports.map(\.isTransferJoined) == [false, true])
        #expect(reports.map(\.isJoined) == [false, false])
    }

    @Test func cacheDecisionIsReported() async throws {
        let box = Darkbox()
        _ = try await box.load { $0.waitsForStore = true }
        let again = try await box.load { $0.cacheUse = .loaderOnly }
        #expect(again.report.decision == .bypassed(.loaderOnly))
        let refreshed = try await box.load { $0.cacheUse = .refresh }
        #expect(refreshed.report.decision == .unchanged)
        let fromDisk = try await box.restarted().load(Darkbox.url)
        #expect(fromDisk.report.decision == .fresh(for: nil))
    }

    @Test func limitThatReducedTheSizeIsReported() async throws {
        let report = try await Darkbox().load { $0.scaleDownByteCount = 200 }.report
        #expect(report.limits == ["scaleDownByteCount is 200, so 12×8 became 8×6"] || report.limits.count == 1)
        #expect(report.limits.first?.contains("scaleDownByteCount is 200") == true)
    }

    @Test func observersAreNotifiedOfEveryLoad() async throws {
        let records = Recorder<LoadRecord>()
        let box = Darkbox { $0.install(Listener(records: records)) }
        _ = try await box.load()
        _ = try await box.load()
        box.data.fail(with: ImageError(.internal, .cache, "no disk"))
        _ = try? await box.manager.load(URL(string: "http://example.com/b.plain")!)
        #expect(records.values.count == 3)
        #expect(try records.values[1].result.get().origin == .memory)
    }

    @Test func cacheFailureIsReported() async throws {
        let failures = Recorder<Bool>()
        let box = Darkbox { $0.install(Listener(failures: failures)) }
        box.data.fail(with: ImageError(.internal, .cache, "no disk"))
        _ = try await box.load { $0.waitsForStore = true }
        #expect(failures.values == [true, false])
    }

    @Test func cancelledCacheAccessIsNotAFailure() async throws {
        let failures = Recorder<Bool>()
        let box = Darkbox { $0.install(Listener(failures: failures)) }
        box.data.fail(with: .cancelled)
        _ = try await box.load { $0.waitsForStore = true }
        #expect(failures.values.isEmpty)
    }
}

private struct Listener: LoadObserver {
    var records = Recorder<LoadRecord>()
    var failures = Recorder<Bool>()

    func loadEnded(_ record: LoadRecord) { records.note(record) }
    func cacheFailed(_ error: any Error, isRead: Bool, key: CacheKey) { failures.note(isRead) }
}
