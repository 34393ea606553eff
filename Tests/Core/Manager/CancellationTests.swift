@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// A load is in flight, and can be cancelled, from the moment at which its call returned or suspended.
@Suite(.bounded)
struct CancellationTests {
    private let gate = Gate()

    private func box() -> Darkbox {
        let gate = gate
        return Darkbox(
            FakeLoader { _ in
                try await gate.waitUnlessCancelled()
                return LoadResponse(.data(Darkbox.file))
            })
    }

    @Test func cancellingEverythingEndsAllMembersOfALoadOfSeveralContexts() async throws {
        let box = box()
        let contexts = [3.0, 6, 9].map { side in ImageContext { $0.thumbnail = .fit(side, side) } }
        let load = Task { await box.manager.load(Darkbox.url, contexts: contexts) }
        await box.loader.waitForRequests(1)
        box.manager.cancelAll()
        for result in await load.value {
            #expect(throws: ImageError.self) { try result.get() }
        }
        #expect(box.loader.requests.count == 1, "no other member has started a request")
        #expect(!box.manager.isRunning)
    }

    @Test func eventsCountAsALoadAtOnce() async throws {
        let box = box()
        let events = box.manager.events(for: Darkbox.url)
        #expect(box.manager.isRunning)
        box.manager.cancelAll()
        #expect(!box.manager.isRunning)
        let error = await #expect(throws: ImageError.self) { for try await _ in events {} }
        #expect(error?.kind == .cancelled)
        gate.open()
        #expect(box.images.keys.isEmpty)
    }

    /// The moments at which the reader of events is cancelled.
    enum ReaderMoment: CaseIterable { case beforeReading, reading, betweenEvents }

    @Test(arguments: ReaderMoment.allCases) func cancelledReaderOfEventsAlwaysHearsThat(_ moment: ReaderMoment) async {
        let (box, start, read) = (box(), Gate(), Recorder<Int>())
        let reader = Task {
            let events = box.manager.events(for: Darkbox.url)
            read.note(0)
            if moment == .beforeReading { await start.wait() }
            for try await _ in events {
                read.note(1)
                if moment == .betweenEvents { await start.wait() }
            }
        }
        await read.waitForValues(moment == .beforeReading ? 1 : 2)
        reader.cancel()
        start.open()
        let error = await #expect(throws: ImageError.self) { try await reader.value }
        #expect(error?.kind == .cancelled)
    }

    @Test func loadOfSeveralContextsCountsAsSoonAsItSuspends() async throws {
        let box = box()
        let load = Task.immediate { await box.manager.load(Darkbox.url, contexts: [ImageContext()]) }
        #expect(box.manager.isRunning)
        box.manager.cancelAll()
        let results = await load.value
        #expect(throws: ImageError.self) { try results[0].get() }
    }

    @Test func loadWithADeadlineCountsAsSoonAsItSuspends() async throws {
        let (box, clock) = (box(), ManualClock())
        let load = Task.immediate {
            try await box.manager.load(Darkbox.url, within: .seconds(9), clock: clock)
        }
        #expect(box.manager.isRunning)
        box.manager.cancelAll()
        let error = await #expect(throws: ImageError.self) { try await load.value }
        #expect(error?.kind == .cancelled)
    }

    @Test func failureToFetchTheOriginalIsSharedByAllSizes() async throws {
        let box = Darkbox(FakeLoader { _ in throw ImageError(.status, .load, "the origin returned status 404") })
        var contexts = [3.0, 6, 9].map { side in ImageContext { $0.thumbnail = .fit(side, side) } }
        contexts[0].transformers = [Darken()]
        for result in await box.manager.load(Darkbox.url, contexts: contexts) {
            let error = #expect(throws: ImageError.self) { try result.get() }
            #expect(error?.kind == .status)
        }
        #expect(box.loader.requests.count == 1)
    }
}
