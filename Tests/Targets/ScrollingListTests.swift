@testable import DarkroomCore
@testable import DarkroomTargets
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// The requirements on a list whose rows each show one remote image; `Tests/Darkroom` contains those that concern the
/// disk.
@MainActor
@Suite(.bounded)
struct ScrollingListTests {
    private let pictures = Pictures()

    private func list(_ manager: ImageManager, _ indices: [Int], height: Int = 2) -> ScrollingList {
        ScrollingList(manager, rows: indices.map { Pictures.url($0) }, height: height)
    }

    /// Scrolls to the first two rows, and waits until the loads of both have begun: one that begins later does not keep the
    /// transfer of the other alive.
    private func scrollToTheTop(_ list: ScrollingList) async {
        let begun = [Gate(), Gate()]
        list.scroll(to: 0) { row, _ in begun[row].open() }
        for gate in begun { await gate.wait() }
    }

    @Test func point01NoRowBlocksTheMainThread() async throws {
        MainQueue.mark()
        await Task { @MainActor in #expect(MainQueue.isCurrent, "or else the test could not fail") }.value
        let notes = Recorder<String>()
        let cache = NotingDataCache(notes: notes)
        cache.storing.open()
        func note(_ what: String) -> @Sendable () -> Void {
            { notes.note(MainQueue.isCurrent ? "\(what) on main" : what) }
        }
        let (load, decode) = (note("load"), note("decode"))
        let loader = FakeLoader { _ in
            load()
            return LoadResponse(.data(PlainCoder.file(of: Pictures.bitmap(1))))
        }
        let box = Darkbox(loader) {
            $0.dataCache = cache
            $0.install(PlainCoder { _ in decode() })
        }
        let list = list(box.manager, [1, 2, 3])
        list.scroll(to: 0)
        await list.settled()
        await box.manager.waitForStores()
        #expect(Set(notes.values) == ["disk", "load", "decode", "store"])
    }

    @Test func point02MemoryThenDiskThenPlaceholderAndLoader() async throws {
        pictures.open(1)
        let notes = Recorder<String>()
        let cache = NotingDataCache(notes: notes)
        cache.storing.open()
        let box = Darkbox(pictures.loader) { $0.dataCache = cache }
        let list = list(box.manager, [1, 1, 1], height: 1)
        list.scroll(to: 0)
        await list.settled()
        await box.manager.waitForStores()
        #expect(list.cells[0].notes == ["placeholder", "network"])
        #expect(notes.values == ["disk", "store"] && box.loader.requests.count == 1)
        box.images.removeAll()
        list.scroll(to: 1)
        await list.settled()
        #expect(list.cells[0].notes.suffix(2) == ["placeholder", "disk"])
        list.scroll(to: 2)
        #expect(list.cells[0].notes.last == "memory", "the disk hit was copied into memory")
        #expect(notes.values == ["disk", "store", "disk"] && box.loader.requests.count == 1)
    }

    @Test func point03ImageOfSeveralRowsIsTransferredOnce() async throws {
        let box = Darkbox(pictures.loader)
        let list = list(box.manager, [1, 1, 2, 3, 1], height: 2)
        await scrollToTheTop(list)
        list.scroll(to: 1)
        pictures.open(1, 2, 3)
        await list.settled()
        list.scroll(to: 3)
        await list.settled()
        #expect(list.cell(4)?.bitmap == Pictures.bitmap(1))
        #expect(box.loader.requests.count { $0.url == Pictures.url(1) } == 1)
    }

    @Test(arguments: [true, false])
    func point04EndedTransferIsNotShared(succeeds: Bool) async throws {
        let box = Darkbox(
            FakeLoader { _ in
                guard succeeds else { throw ImageError(.network, .load, "unreachable") }
                return LoadResponse(.data(Darkbox.file))
            })
        let list = list(box.manager, [1, 1], height: 1)
        list.scroll(to: 0)
        await list.settled()
        #expect(!box.manager.isRunning)
        list.scroll(to: 1)
        await list.settled()
        #expect(box.loader.requests.count == (succeeds ? 1 : 2))
        #expect(list.cells[0].notes.last == (succeeds ? "memory" : "placeholder"))
    }

    @Test func point05ReusedCellNeverShowsItsPreviousImage() async throws {
        let box = Darkbox(pictures.loader)
        let list = list(box.manager, [1, 2, 3], height: 1)
        for row in 0..<3 {
            list.scroll(to: row)
            await box.loader.waitForRequests(row + 1)
        }
        await pictures.ended.waitForValues(2)
        #expect(Set(pictures.ended.values) == [Pictures.url(1), Pictures.url(2)], "no row needs them any more")
        pictures.open(1, 2, 3)
        await list.settled()
        #expect(list.cells[0].notes == ["placeholder", "placeholder", "placeholder", "network"])
        #expect(list.cells[0].bitmap == Pictures.bitmap(3))
    }

    @Test func point05TransferContinuesWhileAnotherRowNeedsIt() async throws {
        let box = Darkbox(pictures.loader)
        let list = list(box.manager, [1, 1, 2], height: 2)
        await scrollToTheTop(list)
        list.scroll(to: 1)
        pictures.open(1, 2)
        await list.settled()
        #expect(list.cell(1)?.bitmap == Pictures.bitmap(1) && list.cell(2)?.bitmap == Pictures.bitmap(2))
        #expect(pictures.ended.values.isEmpty)
    }

    @Test func point06NoRowWaitsForTheDisk() async throws {
        pictures.open(1)
        let cache = NotingDataCache(notes: Recorder())
        let box = Darkbox(pictures.loader) { $0.dataCache = cache }
        let list = list(box.manager, [1])
        list.scroll(to: 0)
        await list.settled()
        #expect(list.cells[0].bitmap == Pictures.bitmap(1))
        #expect(box.images.keys.count == 1 && cache.base.keys.isEmpty)
        cache.storing.open()
        await box.manager.waitForStores()
        #expect(cache.base.keys == box.images.keys)
    }

    @Test func point08EveryRowReceivesTheProgressOfItsTransfer() async throws {
        let file = PlainCoder.file(of: Pictures.bitmap(1))
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { _ in
                let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
                Task {
                    stream.yield(file.prefix(20))
                    try? await gate.waitUnlessCancelled()
                    stream.yield(file.dropFirst(20))
                    stream.finish()
                }
                return LoadResponse(.chunks(chunks), expectedByteCount: file.count)
            })
        let list = list(box.manager, [1, 1, 1], height: 3)
        var byteCounts: [Int: Int] = [:]
        list.scroll(to: 0) { row, event in
            guard case .progress(let received, let expected) = event, received > 0 else { return }
            #expect(expected == file.count && received >= byteCounts[row, default: 0])
            byteCounts[row] = received
            if byteCounts.count == 3 { gate.open() }
        }
        await list.settled()
        #expect(byteCounts == [0: file.count, 1: file.count, 2: file.count])
        #expect(list.cells.allSatisfy { $0.imageState().receivedByteCount == file.count })
        #expect(box.loader.requests.count == 1)
    }

    @Test(arguments: [LoadOrder.firstInFirstOut, .lastInFirstOut])
    func point10PrefetchedRowsLoadAfterVisibleOnes(order: LoadOrder) async throws {
        let queue = AdmissionQueue(limit: 1, order: order)
        let (gate, transfers) = (Gate(), Recorder<URL>())
        let box = Darkbox(
            FakeLoader { request in
                let admission = try await queue.admit(request.context.priority)
                defer { admission.release() }
                transfers.note(request.url)
                try await gate.waitUnlessCancelled()
                return LoadResponse(.data(PlainCoder.file(of: Pictures.bitmap(1))))
            })
        let prefetched = Prefetcher(box.manager, loadLimit: 2).prefetch([8, 9].map { Pictures.url($0) })
        await StateChanges.wait { queue.waitingCount >= 1 }
        let list = list(box.manager, [1, 2], height: 1)
        let other = self.list(box.manager, [2], height: 1)
        list.scroll(to: 0)
        await StateChanges.wait { queue.waitingCount >= 2 }
        other.scroll(to: 0)
        await StateChanges.wait { queue.waitingCount >= 3 }
        gate.open()
        await list.settled()
        await other.settled()
        for await progress in prefetched { #expect(progress.error == nil) }
        let visible = [1, 2].map { Pictures.url($0) }
        #expect(transfers.values.count == 4)
        #expect(Array(transfers.values[1...2]) == (order == .firstInFirstOut ? visible : visible.reversed()))
    }
}
