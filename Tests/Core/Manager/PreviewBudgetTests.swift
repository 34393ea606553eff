@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A coder that counts its preview decoders, and records each ordinary decode.
private final class Easel: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    let plainDecodes = Recorder<Int>()

    var mostAtOnce: Int { counts.withLock { $0.most } }

    func begin() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
    func end() { counts.withLock { $0.now -= 1 } }
}

private struct EaselCoder: ProgressiveImageCoder {
    let easel: Easel
    private let base = PlainCoder()

    init(_ easel: Easel) { self.easel = easel }

    var formats: [ImageFormat] { base.formats }
    func info(of request: InfoRequest) throws -> ImageInfo { try base.info(of: request) }

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        easel.plainDecodes.note(1)
        return try base.decode(request)
    }

    func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        Sketch(try base.makePreviewDecoder(request), easel)
    }
}

private final class Sketch: PreviewDecoder {
    private var base: any PreviewDecoder
    private let easel: Easel

    init(_ base: any PreviewDecoder, _ easel: Easel) {
        (self.base, self.easel) = (base, easel)
        easel.begin()
    }

    deinit { easel.end() }

    func append(_ bytes: Data) throws -> Bitmap? { try base.append(bytes) }
    func finish() throws -> Bitmap { try base.finish() }
}

@Suite(.bounded)
struct PreviewBudgetTests {
    /// The bytes that previews of `Darkbox.file` need: the image, and the preview.
    private static let byteCount = 12 * 8 * 4 * 2
    /// Likewise at the size 6×4, which needs the full image, too.
    private static let smallByteCount = 6 * 4 * 4 * 2 + 12 * 8 * 4

    /// The number of bytes sent before the gate opens.
    private static let receivedByteCount = 120

    private let easel = Easel()
    private let budget = MemoryBudget(byteLimit: Self.byteCount * 3)
    private let gate = Gate()
    private let shown = Recorder<Int>()
    private let context = ImageContext { $0.deliversPreviews = true }
    private let small = ImageContext { ($0.deliversPreviews, $0.thumbnail) = (true, .fit(6, 6)) }

    /// A loader that sends two rows, and once the gate is open the rest, or throws `error` instead.
    private func loader(error: ImageError? = nil) -> FakeLoader {
        FakeLoader { [gate] _ in
            let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
            let task = Task {
                stream.yield(Darkbox.file.prefix(Self.receivedByteCount))
                await gate.wait()
                if error == nil { stream.yield(Darkbox.file.dropFirst(Self.receivedByteCount)) }
                stream.finish(throwing: error)
            }
            stream.onTermination = { _ in task.cancel() }
            return LoadResponse(.chunks(chunks), expectedByteCount: Darkbox.file.count)
        }
    }

    private func configure(_ components: inout ImageManager.Components) {
        components.install(EaselCoder(easel))
        components.memoryBudget = budget
    }

    /// Starts a load that records the reserved bytes at each preview.
    private func load(_ manager: ImageManager, _ context: ImageContext) -> Task<LoadResult, any Error> {
        Task { [shown, budget] in
            try await manager.load(Darkbox.url, context: context) {
                if case .preview = $0 { shown.note(budget.reservedByteCount) }
            }
        }
    }

    /// Returns once nothing is reserved. Threads may hold an image for a moment after their work is done.
    private func budgetIsFree() async { _ = try? await budget.reserve(.max) }

    @Test func previewsReserveMemoryUntilDelivery() async throws {
        let box = Darkbox(loader()) { configure(&$0) }
        let load = load(box.manager, context)
        await shown.waitForValues(1)
        gate.open()
        #expect(try await load.value.image.bitmap == Darkbox.bitmap)
        #expect(shown.values.first == Self.byteCount + Self.receivedByteCount)
        #expect(easel.plainDecodes.values.isEmpty)
        await budgetIsFree()
    }

    @Test func withoutMemoryTheImageIsMadeWithoutPreviews() async throws {
        let box = Darkbox(loader()) { configure(&$0) }
        let all = try await budget.reserve(budget.byteLimit)
        let load = load(box.manager, context)
        gate.open()
        await StateChanges.wait { budget.waitingCount >= 1 }
        all.release()
        #expect(try await load.value.image.bitmap == Darkbox.bitmap)
        #expect(shown.values.isEmpty && easel.mostAtOnce == 0 && easel.plainDecodes.values.count == 1)
        await budgetIsFree()
    }

    @Test func concurrentPreviewsStayWithinTheBudget() async throws {
        let manager = Darkbox(loader()) { configure(&$0) }.manager
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                let url = try #require(URL(string: "http://example.com/\(number).plain"))
                group.addTask {
                    let clock = ManualClock()
                    let result = try await manager.load(url, within: .seconds(1), clock: clock)
                    #expect(result.image.bitmap == Darkbox.bitmap)
                }
            }
            await gate.waitForArrivals(50)
            gate.open()
            try await group.waitForAll()
        }
        #expect(easel.mostAtOnce <= 3)
        await budgetIsFree()
        #expect(budget.waitingCount == 0)
    }

    @Test func cancelledPreviewsReleaseTheirMemory() async throws {
        let box = Darkbox(loader()) { configure(&$0) }
        let load = load(box.manager, context)
        await shown.waitForValues(1)
        #expect(budget.reservedByteCount == Self.byteCount + Self.receivedByteCount)
        load.cancel()
        await #expect(throws: ImageError.self) { try await load.value }
        await budgetIsFree()
        gate.open()
    }

    @Test func previewsOfAFailedTransferReleaseTheirMemory() async throws {
        let box = Darkbox(loader(error: ImageError(.network, .load, "broken"))) { configure(&$0) }
        let load = load(box.manager, context)
        await shown.waitForValues(1)
        #expect(budget.reservedByteCount == Self.byteCount + Self.receivedByteCount)
        gate.open()
        await #expect(throws: ImageError.self) { try await load.value }
        await budgetIsFree()
    }

    @Test func previewsLeaveHalfOfTheFreeMemoryToCompleteImages() async throws {
        budget.byteLimit = Self.byteCount * 2 - 1
        let box = Darkbox(loader()) { configure(&$0) }
        gate.open()
        _ = try await load(box.manager, context).value
        #expect(easel.mostAtOnce == 0 && easel.plainDecodes.values.count == 1)
    }

    /// The outcome of a transfer after previews were shown, while a result of an older one is stored.
    enum End: CaseIterable { case breaks, breaksWithoutOriginal, bringsTheSame }

    @Test(arguments: End.allCases)
    func storedResultDoesNotWaitForPreviewsOfItsLoad(end: End) async throws {
        let box = Darkbox()
        var plain = small
        (plain.deliversPreviews, plain.waitsForStore) = (false, true)
        _ = try await box.manager.load(Darkbox.url, context: plain)
        for key in box.data.keys {
            var entry = try #require(await box.data.entry(for: key))
            entry.metadata.original?.freshness?.expires = .distantPast
            try await box.data.store(entry, for: key)
        }
        if end == .breaksWithoutOriginal { try await box.data.remove(CacheKey(source: Darkbox.url.absoluteString)) }
        budget.byteLimit = Self.smallByteCount * 2 + Self.receivedByteCount
        let error = end == .bringsTheSame ? nil : ImageError(.network, .load, "broken")
        let manager = box.restarted(loader(error: error)) { configure(&$0) }
        let load = load(manager, small)
        await shown.waitForValues(1)
        let rest = budget.reserveNow(budget.byteLimit - budget.reservedByteCount)
        #expect(rest?.byteCount == Self.smallByteCount)
        gate.open()
        let result = try await load.value
        #expect(result.origin == .disk && result.isStale == (end != .bringsTheSame))
        withExtendedLifetime(rest) {}
    }
}
