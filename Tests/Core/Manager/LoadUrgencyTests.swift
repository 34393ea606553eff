@testable import DarkroomCore
import DarkroomTestKit
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

/// Loads whose priority is changed while they wait: each line serves them in the new order.
@Suite(.bounded)
struct LoadUrgencyTests {
    /// The ways to load an image.
    enum Call: CaseIterable, Sendable {
        case load, events, data, encoded, sizes, deadline

        func start(_ url: URL, on manager: ImageManager, _ context: ImageContext) -> Task<Void, any Error> {
            Task.immediate {
                switch self {
                case .load: _ = try await manager.load(url, context: context)
                case .events: for try await _ in manager.events(for: url, context: context) {}
                case .data: _ = try await manager.data(url, context: context)
                case .encoded: _ = try await manager.encoded(url, context: context, as: .plain)
                case .sizes: for result in await manager.load(url, contexts: [context]) { _ = try result.get() }
                case .deadline:
                    _ = try await manager.load(url, context: context, within: .seconds(9), clock: ManualClock())
                }
            }
        }
    }

    private let served = Recorder<String>()
    private let urgencies = (0..<3).map { _ in Urgency() }

    private static func url(_ number: Int) -> URL { URL(string: "http://example.com/\(number)")! }

    private func context(_ number: Int) -> ImageContext { ImageContext { $0.urgency = urgencies[number] } }

    /// A loader of one transfer at a time, which is suspended.
    private func makeLoader() -> LimitedLoader<FakeLoader> {
        let loader = FakeLoader { [served] request in
            served.note(request.url.lastPathComponent)
            return LoadResponse(.data(Darkbox.file))
        }.limited(to: 1)
        loader.isSuspended = true
        return loader
    }

    private static func manager(_ loader: LimitedLoader<FakeLoader>) throws -> ImageManager {
        try ImageManager {
            $0.install(loader)
            $0.install(PlainCoder())
        }
    }

    /// A manager of the images 0 to 2, which are on disk. The order of their decodes is recorded.
    private func managerOfStoredImages(
        _ configure: (inout ImageManager.Components) -> Void
    ) async throws -> ImageManager {
        let disk = FakeDataCache()
        for number in 0..<3 {
            let file = PlainCoder.file(of: Bitmap(number + 1, 1) { _, _ in .white })
            try await disk.store(DataEntry(file), for: CacheKey(source: Self.url(number).absoluteString))
        }
        return try ImageManager {
            $0.install(PlainCoder { [served] in served.note("\($0.info.storedSize.width - 1)") })
            $0.dataCache = disk
            configure(&$0)
        }
    }

    /// Starts the loads 0 to 2, each after `isWaiting` returned true for the number of those before.
    private func start(
        _ calls: [Call], on manager: ImageManager, isWaiting: @escaping @Sendable (Int) -> Bool
    ) async -> [Task<Void, any Error>] {
        var tasks: [Task<Void, any Error>] = []
        for (number, call) in calls.enumerated() {
            tasks.append(call.start(Self.url(number), on: manager, context(number)))
            await StateChanges.wait { isWaiting(number + 1) }
        }
        return tasks
    }

    /// Reverses the order of the loads.
    private func reorder() {
        urgencies[2].priority = .high
        urgencies[0].priority = .low
    }

    @Test(arguments: Call.allCases) func transfersFollowTheNewOrder(_ call: Call) async throws {
        let loader = makeLoader()
        let tasks = await start([call, .load, call], on: try Self.manager(loader)) { loader.waitingTransferCount == $0 }
        reorder()
        loader.isSuspended = false
        for task in tasks { try await task.value }
        #expect(served.values == ["2", "1", "0"])
    }

    @Test func waitsForMemoryFollowTheNewOrder() async throws {
        let budget = MemoryBudget(byteLimit: 1)
        let manager = try await managerOfStoredImages { $0.memoryBudget = budget }
        let all = try await budget.reserve(1)
        let tasks = await start([.load, .load, .load], on: manager) { budget.waitingCount == $0 }
        reorder()
        all.release()
        for task in tasks { try await task.value }
        #expect(served.values == ["2", "1", "0"])
    }

    @Test func decodesFollowTheNewOrder() async throws {
        let executor = WorkExecutor(name: "test", width: 1)
        let manager = try await managerOfStoredImages { $0.workExecutor = executor }
        let (isBusy, hold) = (Gate(), DispatchSemaphore(value: 0))
        executor.enqueue {
            isBusy.open()
            hold.wait()
        }
        await isBusy.wait()
        let tasks = await start([.load, .load, .load], on: manager) { executor.waitingCount == $0 }
        reorder()
        hold.signal()
        for task in tasks { try await task.value }
        #expect(served.values == ["2", "1", "0"])
    }

    @Test func sharedLoadDoesNotFallBelowThePriorityOfOthers() async throws {
        let (loader, joined) = (makeLoader(), Gate())
        let manager = try Self.manager(loader)
        urgencies[0].priority = .high
        urgencies[2].priority = .low
        let tasks = await start([.load, .load, .load], on: manager) { loader.waitingTransferCount == $0 }
        let other = Task { try await manager.load(Self.url(0), context: .init()) { _ in joined.open() } }
        await joined.wait()
        urgencies[0].priority = .low
        loader.isSuspended = false
        for task in tasks { try await task.value }
        _ = try await other.value
        #expect(served.values == ["1", "0", "2"], "lowered as far as the other caller permits, behind its equals")
    }

    @Test func moreUrgentCallerOfAFileRaisesTheLoadOfItsImage() async throws {
        let (loader, joined) = (makeLoader(), Gate())
        let manager = try Self.manager(loader)
        urgencies[0].priority = .low
        let tasks = await start([.encoded, .load], on: manager) { loader.waitingTransferCount == $0 }
        let other = Task {
            try await manager.encoded(Self.url(0), context: ImageContext { $0.priority = .high }, as: .plain) { _ in
                joined.open()
            }
        }
        await joined.wait()
        loader.isSuspended = false
        for task in tasks { try await task.value }
        _ = try await other.value
        #expect(served.values == ["0", "1"])
    }

    @Test func listsOfAPrefetcherFollowTheNewOrder() async throws {
        let gate = Gate()
        let loader = FakeLoader { [served] request in
            served.note(request.url.lastPathComponent)
            await gate.wait()
            return LoadResponse(.data(Darkbox.file))
        }
        let prefetcher = Prefetcher(Darkbox(loader).manager, loadLimit: 1)
        var lists: [Prefetcher.List] = []
        for number in 0..<2 {
            let urls = (0..<3).map { Self.url(number * 10 + $0) }
            lists.append(prefetcher.start(urls, context: context(number)))
            await StateChanges.wait { prefetcher.waitingCount == number + 1 }
        }
        urgencies[1].priority = .high
        gate.open()
        for list in lists { await list.wait() }
        #expect(served.values.prefix(2) == ["0", "10"] && served.values.count == 6)
        #expect(loader.requests.last?.context.urgency === urgencies[0])
    }

    @Test func priorityOfAContextReplacesItsUrgency() {
        var context = context(0)
        context.priority = .low
        urgencies[0].priority = .high
        #expect(context.priority == .low)
        context.urgency.priority = .high
        #expect(context.priority == .low && ImageContext().priority == .normal, "constant")
    }
}
