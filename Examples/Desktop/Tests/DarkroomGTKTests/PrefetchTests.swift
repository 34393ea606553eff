import DarkroomCore
@testable import DarkroomGTK
import DarkroomTestKit
import Foundation
import Testing

@MainActor
struct PrefetchTests {
    private let loader: FakeLoader
    private let prefetch: Prefetch
    /// The paths whose loads were cancelled.
    private let cancelled = Recorder<String>()
    private let past = ContinuousClock.now - .seconds(1)

    init() throws {
        let gate = Gate()
        loader = FakeLoader { [cancelled] request in
            defer { cancelled.note(request.url.lastPathComponent) }
            try await gate.waitUnlessCancelled()
            throw CancellationError()
        }
        prefetch = Prefetch(try ImageManager { [loader] in $0.install(loader) })
    }

    @Test func eachPositionLoadsOnceWithLowPriority() async {
        #expect(start(0..<3))
        #expect(start(1..<5))
        await loader.waitForRequests(5)
        #expect(Set(loader.requests.map(\.url.lastPathComponent)) == ["0", "1", "2", "3", "4"])
        #expect(loader.requests.allSatisfy { $0.context.priority == .low })
        prefetch.cancelAll(but: 4..<5)
        #expect(Array(prefetch.loadingPositions) == [4])
    }

    @Test func anotherScaleOfTheMonitorLoadsAgain() async {
        #expect(start(0..<2))
        await loader.waitForRequests(2)
        #expect(start(0..<2, scale: 2))
        await loader.waitForRequests(4)
        #expect(
            loader.requests.compactMap(\.context.thumbnail) == [
                .fit(180, 120), .fit(180, 120), .fit(360, 240), .fit(360, 240),
            ])
    }

    @Test func anotherURLAtAPositionReplacesItsLoad() async {
        #expect(start(0..<3))
        await loader.waitForRequests(3)
        let isComplete = start(0..<3) { $0 == 2 ? nil : URL(string: "https://example.com/\($0 * 9)") }
        #expect(isComplete)
        await loader.waitForRequests(4)
        await cancelled.waitForValues(2)
        #expect(loader.requests.last?.url.lastPathComponent == "9")
        #expect(Set(cancelled.values) == ["1", "2"])
        #expect(Set(prefetch.loadingPositions) == [0, 1])
    }

    @Test func positionsWithoutAURLDoNotKeepOthersFromLoading() {
        let isComplete = start(0..<3, until: past) { $0 < 2 ? nil : URL(string: "https://example.com/2") }
        #expect(isComplete)
        #expect(Array(prefetch.loadingPositions) == [2])
    }

    @Test func loadsStartInTheOrderOfThePositions() {
        #expect(!start([2, 1, 0], until: past))
        #expect(Array(prefetch.loadingPositions) == [2])
    }

    @Test func deadlineThatHasPassedStillStartsOneLoad() async {
        #expect(!start(0..<3, until: past))
        #expect(!start(0..<3, until: past))
        #expect(start(0..<3, until: past))
        #expect(Set(prefetch.loadingPositions) == [0, 1, 2])
    }

    private func start(
        _ positions: some Sequence<Int>, until deadline: ContinuousClock.Instant = .now + .seconds(3600),
        scale: Int = 1, url: (Int) -> URL? = { URL(string: "https://example.com/\($0)") }
    ) -> Bool {
        let context = PictureSettings { $0.size = (180, 120) }.context(scale: scale)
        return prefetch.start(positions, until: deadline, context: context, url: url)
    }
}
