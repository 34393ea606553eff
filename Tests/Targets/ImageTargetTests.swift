@testable import DarkroomCore
@testable import DarkroomTargets
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor
@Suite(.bounded)
struct ImageTargetTests {
    private let pictures = Pictures()
    private let box: Darkbox
    private let cell: Cell

    init() {
        box = Darkbox(pictures.loader)
        cell = Cell(box.manager)
    }

    @Test func placeholderIsShownUntilTheImageArrives() async throws {
        let result = await cell.load(Pictures.url(1)) {
            #expect(cell.notes == ["placeholder"])
            #expect(cell.imageState().isLoading && cell.imageState().url == Pictures.url(1))
            pictures.open(1)
        }
        #expect(cell.notes == ["placeholder", "network"])
        #expect(cell.bitmap == Pictures.bitmap(1))
        #expect(try result.get().image.bitmap == Pictures.bitmap(1))
        #expect(!cell.imageState().isLoading)
    }

    @Test func memoryHitIsShownSynchronouslyWithoutPlaceholder() async throws {
        pictures.open(1)
        _ = try await box.manager.load(Pictures.url(1))
        cell.imageSlots.indicator = NotedIndicator()
        cell.imageSlots.transition = NotedTransition(gate: Gate())
        var origin: LoadResult.Origin?
        cell.setImage(Pictures.url(1), placeholder: Pictures.placeholder) { origin = try? $0.get().origin }
        #expect(origin == .memory)
        #expect(cell.notes == ["memory"])
        let state = cell.imageState()
        #expect((state.receivedByteCount, state.expectedByteCount) == (1, 1) && state.fraction == 1 && !state.isLoading)
    }

    @Test(arguments: [CacheUse.standard, .refresh]) func setImageRunsKeyFiltersOnce(_ use: CacheUse) async throws {
        struct CountingFilter: CacheKeyFilter {
            let calls: Recorder<URL>
            func key(for url: URL, soFar: String, context: ImageContext) -> String? {
                calls.note(url)
                return soFar
            }
        }
        let filtered = Recorder<URL>()
        let box = Darkbox(pictures.loader) { $0.install(CountingFilter(calls: filtered)) }
        let cell = Cell(box.manager)
        pictures.open(1)
        var context = ImageContext()
        context.cacheUse = use
        for count in 1...2 {
            _ = try await cell.load(Pictures.url(1), context: context).get()
            #expect(filtered.values.count == count)
        }
    }

    @Test func newLoadCancelsThePreviousOne() async {
        let first = await cell.load(Pictures.url(1)) {
            cell.setImage(Pictures.url(2), placeholder: nil)
            #expect(cell.notes == ["placeholder", "nothing"])
        }
        #expect(first.failureKind == .cancelled)
        _ = await cell.load(Pictures.url(3)) { pictures.open(1, 2, 3) }
        #expect(cell.notes == ["placeholder", "nothing", "placeholder", "network"])
        #expect(cell.bitmap == Pictures.bitmap(3))
    }

    @Test func sameURLJoinsTheLoadUnderWay() async throws {
        cell.setImage(Pictures.url(1), placeholder: Pictures.placeholder) { [cell] in
            cell.note("\($0.failureKind ?? .internal)")
        }
        await pictures.waitForRequest(1)
        let joined = Gate()
        let second = await cell.load(Pictures.url(1), placeholder: nil, joined: joined) {
            Task {
                await joined.wait()
                pictures.open(1)
            }
        }
        #expect(try second.get().report.isJoined)
        #expect(box.loader.requests.count == 1 && pictures.ended.values.isEmpty)
        #expect(cell.notes == ["placeholder", "cancelled", "nothing", "network"])
    }

    @Test func refreshShowsTheImageInMemoryAtOnce() async throws {
        pictures.open(1)
        _ = try await box.manager.load(Pictures.url(1))
        var cached = 0
        let done = Gate()
        cell.setImage(
            Pictures.url(1), placeholder: Pictures.placeholder, context: ImageContext { $0.cacheUse = .refresh },
            completion: { _ in done.open() },
            onEvent: { if case .cached = $0 { cached += 1 } })
        #expect(cell.notes == ["memory"] && cached == 1 && cell.imageState().isLoading)
        await done.wait()
        // The origin server has sent the same bytes again.
        #expect(cell.notes == ["memory", "memory"] && cached == 1 && box.loader.requests.count == 2)
    }

    @Test func endOfThePreviousLoadIsReportedFirst() {
        cell.setImage(Pictures.url(1)) { [cell] in cell.note("\($0.failureKind ?? .internal)") }
        cell.setImage(Pictures.url(2), placeholder: Pictures.placeholder)
        #expect(cell.notes == ["nothing", "cancelled", "placeholder"])
    }

    @Test func resultOfAnEarlierLoadIsReportedButNotShown() async throws {
        let second = SlotOptions { $0.cancelsPreviousLoad = false }
        let first = await cell.load(Pictures.url(1)) {
            cell.setImage(Pictures.url(2), options: second)
            pictures.open(1)
        }
        #expect(try first.get().image.bitmap == Pictures.bitmap(1))
        #expect(cell.notes == ["placeholder", "nothing"])
        #expect(cell.imageState().isLoading)
        #expect(pictures.ended.values.isEmpty)
    }

    @Test func completionMayLoadAgain() async throws {
        pictures.open(3)
        let result = await withCheckedContinuation { continuation in
            cell.setImage(Pictures.url(1)) { [cell] _ in
                cell.setImage(Pictures.url(3)) { continuation.resume(returning: $0) }
            }
            cell.setImage(Pictures.url(2), placeholder: Pictures.placeholder) {
                #expect($0.failureKind == .cancelled)
            }
        }
        #expect(try result.get().image.bitmap == Pictures.bitmap(3))
        #expect(cell.notes == ["nothing", "nothing", "network"])
    }

    @Test func failedLoadKeepsTheShownImage() async {
        let result = await cell.load(Pictures.url(99))
        #expect(result.failureKind == .status)
        #expect(cell.notes == ["placeholder"])
    }

    @Test func delayedPlaceholderIsShownOnlyWithoutAnImage() async {
        let delayed = SlotOptions { $0.delaysPlaceholder = true }
        pictures.open(1)
        _ = await cell.load(Pictures.url(1), options: delayed)
        #expect(cell.notes == ["network"])
        _ = await cell.load(Pictures.url(99), options: delayed)
        #expect(cell.notes == ["network", "placeholder"])
        let cancelled = await cell.load(Pictures.url(2), options: delayed) { cell.cancelImageLoad() }
        #expect(cancelled.failureKind == .cancelled)
        #expect(cell.notes == ["network", "placeholder", "placeholder"])
        // A reused slot no longer shows its earlier placeholder.
        cell.setImage(Pictures.url(3), placeholder: Pictures.placeholder, options: delayed)
        cell.setImage(Pictures.url(4))
        #expect(cell.notes.last == "nothing" && cell.notes.count == 4)
        _ = await cell.load(nil, options: delayed)
        #expect(cell.notes.count == 4)
    }

    @Test func nilURLShowsOnlyThePlaceholder() async {
        cell.imageSlots.indicator = NotedIndicator()
        cell.setImage(Pictures.url(1))
        let result = await cell.load(nil)
        #expect(result.failureKind == .invalidURL)
        #expect(cell.notes == ["nothing", "start", "stop", "placeholder"])
        #expect(cell.imageState().url == nil && !cell.imageState().isLoading)
        #expect(await cell.load(URL(string: "")).failureKind == .invalidURL)
    }

    @Test func slotsLoadIndependently() async throws {
        cell.setImage(Pictures.url(1), slot: "front")
        cell.setImage(Pictures.url(2), slot: "back")
        _ = await cell.load(Pictures.url(3)) { pictures.open(3) }
        #expect(cell.shown.mapValues(\.bitmap) == ["Cell": Pictures.bitmap(3)])
        #expect(["front", "back", "Cell"].map { cell.imageState(slot: $0).isLoading } == [true, true, false])
        cell.cancelImageLoad(slot: "front")
        let back = await cell.load(Pictures.url(2), slot: "back") { pictures.open(1, 2) }
        #expect(try back.get().image.bitmap == Pictures.bitmap(2))
        #expect(cell.shown["front"] == nil)
    }

    @Test func latestLoadCanBeCancelled() async {
        cell.cancelLatestImageLoad()
        cell.setImage(Pictures.url(1))
        let result = await cell.load(Pictures.url(2), slot: "back") { cell.cancelLatestImageLoad() }
        #expect(result.failureKind == .cancelled)
        #expect(cell.imageState().isLoading && !cell.imageState(slot: "back").isLoading)
        await pictures.ended.waitForValues(box.loader.requests.contains { $0.url == Pictures.url(2) } ? 1 : 0)
    }

    @Test func diskHitReportsFullProgress() async throws {
        pictures.open(1)
        _ = try await box.manager.load(Pictures.url(1))
        box.images.removeAll()
        #expect(try await cell.load(Pictures.url(1)).get().origin == .disk)
        #expect(cell.notes == ["placeholder", "disk"])
        #expect(cell.imageState().receivedByteCount == 1 && cell.imageState().expectedByteCount == 1)
    }

    @Test func targetThatDoesNotShowTheImageReceivesAllEvents() async throws {
        pictures.open(1)
        let options = SlotOptions { $0.showsImage = false }
        var events = 0
        for origin in [LoadResult.Origin.network, .memory] {
            let result = await withCheckedContinuation { continuation in
                cell.setImage(Pictures.url(1), options: options) {
                    continuation.resume(returning: $0)
                } onEvent: { event in
                    if case .finished = event { events += 1 }
                }
            }
            #expect(try result.get().origin == origin)
        }
        #expect(events == 2)
        #expect(cell.notes == ["nothing"])
    }

    @Test func managerMayBeChosenPerLoad() async throws {
        let other = Darkbox(FakeLoader(PlainCoder.file(of: Pictures.bitmap(7))))
        let options = SlotOptions { $0.manager = other.manager }
        #expect(try await cell.load(Pictures.url(1), options: options).get().image.bitmap == Pictures.bitmap(7))
        #expect(box.loader.requests.isEmpty)
    }

    @Test func deallocatedTargetCancelsItsLoad() async {
        var cell: Cell? = Cell(box.manager)
        weak let remembered = cell
        cell?.setImage(Pictures.url(1)) { _ in Issue.record("the completion was called") }
        await box.loader.waitForRequests(1)
        cell = nil
        #expect(remembered == nil)
        await pictures.ended.waitForValues(1)
    }

    @Test func settingAnImageCountsAsALoadAtOnce() async {
        let kind = await withCheckedContinuation { continuation in
            cell.setImage(Pictures.url(1)) { continuation.resume(returning: $0.failureKind) }
            #expect(box.manager.isRunning)
            box.manager.cancelAll()
            #expect(!box.manager.isRunning)
        }
        #expect(kind == .cancelled)
    }

    @Test func targetsMayBelongToAnyActor() async throws {
        let owner = CellOwner(box.manager)
        pictures.open(1)
        #expect(await owner.load(Pictures.url(1)) == ["nothing", "network"])
    }
}

private actor CellOwner {
    private let cell: Cell

    init(_ manager: ImageManager) { cell = Cell(manager) }

    func load(_ url: URL) async -> [String] {
        await withCheckedContinuation { continuation in
            cell.setImage(url) { [self] _ in
                assertIsolated()
                continuation.resume()
            }
        }
        return cell.notes
    }
}
