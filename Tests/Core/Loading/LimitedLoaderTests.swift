@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct LimitedLoaderTests {
    private let asked = Recorder<String>()

    /// A loader whose responses consist of the chunks that a test sends.
    private func streaming(_ streams: Recorder<AsyncThrowingStream<Data, any Error>.Continuation>) -> FakeLoader {
        FakeLoader { [asked] request in
            let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
            streams.note(continuation)
            asked.note(request.url.lastPathComponent)
            return LoadResponse(.chunks(stream))
        }
    }

    private func request(_ name: String, host: String = "a.example") -> LoadRequest {
        LoadRequest(url: URL(string: "http://\(host)/\(name)")!)
    }

    @Test func transferHoldsItsSlotUntilTheLastChunkIsRead() async throws {
        let streams = Recorder<AsyncThrowingStream<Data, any Error>.Continuation>()
        let loader = streaming(streams).limited(to: 1)
        guard case .chunks(let chunks) = try await loader.load(request("1")).body else { return #expect(Bool(false)) }
        let next = Task.immediate { [self] in _ = try await loader.load(request("2")) }
        #expect(loader.runningTransferCount == 1 && loader.waitingTransferCount == 1 && loader.transferCount == 2)
        streams.values[0].yield(Data([1]))
        streams.values[0].yield(Data([2]))
        streams.values[0].finish()
        var bytes: [UInt8] = []
        for try await chunk in chunks {
            bytes += chunk
            #expect(asked.values == ["1"])
        }
        #expect(bytes == [1, 2])
        try await next.value
        #expect(asked.values == ["1", "2"] && loader.transferCount == 0)
    }

    @Test func interruptedBodyReleasesItsSlot() async throws {
        let streams = Recorder<AsyncThrowingStream<Data, any Error>.Continuation>()
        let loader = streaming(streams).limited(to: 1)
        let response = try await loader.load(request("1"))
        streams.values[0].finish(throwing: ImageError(.network, .load, "broken"))
        await #expect(throws: ImageError.self) { try await response.gathered(limits: .default) }
        #expect(loader.runningTransferCount == 0)
        withExtendedLifetime(response) {}
    }

    @Test func deallocatedBodyReleasesItsSlot() async throws {
        let loader = streaming(Recorder()).limited(to: 1)
        for name in ["1", "2", "3"] { _ = try await loader.load(request(name)) }
        #expect(loader.runningTransferCount == 0)
    }

    @Test func failedTransferReleasesItsSlot() async throws {
        let loader = FakeLoader { _ in throw ImageError(.network, .load, "unreachable") }.limited(to: 1)
        for _ in 0..<3 { await #expect(throws: ImageError.self) { try await loader.load(request("1")) } }
        #expect(loader.runningTransferCount == 0)
    }

    @Test func fullHostDoesNotBlockOthers() async throws {
        let gate = Gate()
        let base = FakeLoader { [asked] request in
            asked.note(request.url.host ?? "")
            await gate.wait()
            return LoadResponse(.data(Data([1])))
        }
        let loader = base.limited(to: 3, perGroup: 1)
        let tasks = [("1", "a.example"), ("2", "A.example"), ("3", "b.example")].map { name, host in
            Task.immediate { [self] in _ = try await loader.load(request(name, host: host)) }
        }
        await gate.waitForArrivals(2)
        #expect(Set(asked.values.map { $0.lowercased() }) == ["a.example", "b.example"])
        #expect(loader.waitingTransferCount == 1)
        gate.open()
        for task in tasks { try await task.value }
    }

    @Test func settingsApplyAtOnce() async throws {
        let loader = FakeLoader(Data([1])).limited(to: 2, perGroup: 1, rate: RateLimit(perSecond: 9, burst: 9))
        loader.isSuspended = true
        loader.transferLimit = 5
        loader.transferLimitPerGroup = 3
        loader.transferOrder = .lastInFirstOut
        loader.rateLimit = nil
        let tasks = (0..<3).map { number in
            Task.immediate { [self] in _ = try await loader.load(request("\(number)")) }
        }
        #expect(loader.waitingTransferCount == 3 && loader.transferLimit == 5 && loader.rateLimit == nil)
        #expect(loader.transferLimitPerGroup == 3 && loader.transferOrder == .lastInFirstOut)
        loader.isSuspended = false
        for task in tasks { try await task.value }
    }

    @Test func startIsReportedWhenTheTransferIsAdmitted() async throws {
        let started = Recorder<Bool>()
        let loader = FakeLoader(Data([1])).limited(to: 1)
        loader.isSuspended = true
        var request = request("1")
        request.report = { if case .started = $0 { started.note(true) } }
        let task = Task.immediate { [request] in _ = try await loader.load(request) }
        #expect(started.values.isEmpty)
        loader.isSuspended = false
        try await task.value
        #expect(started.values == [true])
    }

    @Test func delayBetweenAttemptsHoldsNoSlot() async throws {
        let clock = ManualClock()
        let limited = FakeLoader { request in
            if request.url.lastPathComponent == "1" { throw ImageError(.network, .load, "unreachable") }
            return LoadResponse(.data(Data([1])))
        }.limited(to: 1)
        let loader = limited.retrying(on: clock)
        let failing = Task { [self] in try await loader.load(request("1")) }
        await clock.waitForSleeps(1)
        #expect(limited.runningTransferCount == 0)
        _ = try await loader.load(request("2"))
        failing.cancel()
        await #expect(throws: (any Error).self) { try await failing.value }
    }

    @Test(.bug(id: "Fix a test of the limited loader that waits for ever if its tasks start in another order"))
    func cancelAllEndsRunningAndWaitingTransfers() async throws {
        let gate = Gate()
        let base = FakeLoader { request in
            if request.url.lastPathComponent != "1" { try await gate.waitUnlessCancelled() }
            return LoadResponse(.data(Darkbox.file))
        }
        let loader = base.limited(to: 1)
        let manager = try ImageManager {
            $0.install(loader.retrying())
            $0.install(PlainCoder())
        }
        let context = ImageContext { $0.remembersFailure = { _, _ in true } }
        _ = try await manager.load(request("1").url, context: context)
        // Either of them may be the one that runs.
        let tasks = ["2", "3"].map { name in
            Task { [self] in _ = try await manager.load(request(name).url, context: context) }
        }
        await gate.waitForArrivals()
        await StateChanges.wait { loader.waitingTransferCount == 1 }
        loader.cancelAll()
        for task in tasks {
            let error = await #expect(throws: ImageError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
        }
        #expect(loader.transferCount == 0 && base.requests.count == 2)
        // Nothing is retried or remembered, and later loads are not affected.
        gate.open()
        for name in ["2", "3"] { _ = try await manager.load(request(name).url, context: context) }
    }

    @Test func cancelAllEndsATransferThatSendsNothingMore() async throws {
        let streams = Recorder<AsyncThrowingStream<Data, any Error>.Continuation>()
        let loader = streaming(streams).limited(to: 1)
        guard case .chunks(let chunks) = try await loader.load(request("1")).body else { return #expect(Bool(false)) }
        let received = Recorder<Data>()
        let reading = Task { for try await chunk in chunks { received.note(chunk) } }
        streams.values[0].yield(Data([1]))
        await received.waitForValues(1)
        loader.cancelAll()
        let error = await #expect(throws: ImageError.self) { try await reading.value }
        #expect(error?.kind == .cancelled && loader.transferCount == 0)
    }

    @Test func otherMembersForwardToTheBase() {
        let loader = FakeLoader(Data([1]), version: "7").limited()
        #expect(loader.canLoad(Darkbox.url) && loader.localVersion(of: Darkbox.url)?.read() == "7")
        #expect(loader.remembers(ImageError(.corrupt, .decode, "broken")))
        #expect(!loader.remembers(ImageError(.network, .load, "unreachable")))
    }

    /// Returns once `count` transfers wait.
    private func wait(for count: Int, _ loader: LimitedLoader<FakeLoader>) async {
        await StateChanges.wait { loader.waitingTransferCount >= count }
    }

    @Test func joiningALoadRaisesThePriorityOfItsTransfer() async throws {
        let (seen, raised) = (Recorder<LoadRequest>(), Gate())
        let loader = FakeLoader { [asked] request in
            asked.note(request.url.lastPathComponent)
            return LoadResponse(.data(Darkbox.file))
        }.limited(to: 1)
        let manager = try ImageManager {
            $0.install(loader.modifyingRequests { seen.note($0) })
            $0.install(PlainCoder())
        }
        func load(_ name: String, _ priority: LoadPriority, _ thumbnail: Thumbnail? = nil) -> Task<Void, any Error> {
            let context = ImageContext {
                $0.priority = priority
                $0.thumbnail = thumbnail
            }
            return Task.immediate { [self] in _ = try await manager.load(request(name).url, context: context) }
        }
        loader.isSuspended = true
        let prefetched = load("prefetched", .low)
        await wait(for: 1, loader)
        let urgency = seen.values[0].urgency
        let watch = urgency.watch { if urgency.priority == .high { raised.open() } }
        #expect(urgency.priority == .low)
        let (shown, left) = (load("shown", .normal), load("left", .low))
        await wait(for: 3, loader)
        // An urgent load of another size of the image shares its transfer and makes it urgent.
        let wanted = load("prefetched", .high, .fit(6, 6))
        try await raised.waitUnlessCancelled()
        withExtendedLifetime(watch) {}
        loader.isSuspended = false
        for task in [prefetched, shown, wanted, left] { try await task.value }
        #expect(asked.values == ["prefetched", "shown", "left"])
    }
}
