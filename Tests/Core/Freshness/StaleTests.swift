@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct StaleTests {
    private static let window = "max-age=10, stale-while-revalidate=20"
    private static let newBitmap = Bitmap(12, 8) { _, _ in .white }
    // Computed each time: the leak sanitizer reports a `Data` in a static property.
    private static var newFile: Data { PlainCoder.file(of: newBitmap) }
    private let small: @Sendable (inout ImageContext) -> Void = {
        $0.thumbnail = .fit(6, 6)
        $0.waitsForStore = true
    }

    /// Returns an origin that responds to its second request once `gate` is open.
    private func origin(_ gate: Gate, _ later: LoadResponse.Body = .notModified) -> Origin {
        Origin(Origin.picture(Self.window)) { _ in
            await gate.wait()
            return Origin.response(Self.window, later)
        }
    }

    @Test func staleImageInMemoryIsUsedAtOnceAndRevalidatedOnce() async throws {
        let gate = Gate()
        let origin = origin(gate)
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(15))
        #expect(origin.manager.cachedImage(for: Darkbox.url) == nil)
        for _ in 0..<3 {
            let stale = try await origin.load()
            #expect(stale.isStale && stale.origin == .memory)
        }
        await gate.waitForArrivals()
        gate.open()
        await origin.manager.waitForStores()
        let fresh = try await origin.load()
        #expect(!fresh.isStale && fresh.origin == .memory)
        #expect(origin.requests.count == 2)
    }

    @Test func staleResultOnDiskIsUsedAtOnce() async throws {
        let gate = Gate()
        let origin = origin(gate)
        _ = try await origin.load(small)
        origin.clock.advance(by: .seconds(15))
        let manager = origin.restarted()
        let stale = try await manager.load(Darkbox.url, context: ImageContext(small))
        #expect(stale.isStale && stale.origin == .disk)
        gate.open()
        await manager.waitForStores()
        let fresh = try await origin.restarted().load(Darkbox.url, context: ImageContext(small))
        #expect(!fresh.isStale && fresh.origin == .disk)
        #expect(origin.requests.count == 2)
    }

    @Test func variantIsMadeFromAStaleOriginalAtOnce() async throws {
        let gate = Gate()
        let origin = origin(gate)
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(15))
        let manager = origin.restarted()
        let stale = try await manager.load(Darkbox.url, context: ImageContext(small))
        #expect(stale.isStale && stale.origin == .original)
        gate.open()
        await manager.waitForStores()
        #expect(try await !manager.load(Darkbox.url).isStale)
        #expect(origin.requests.count == 2)
    }

    @Test func changedImageIsUsedNextTime() async throws {
        let gate = Gate()
        let origin = origin(gate, .data(PlainCoder.file(of: Self.newBitmap)))
        _ = try await origin.load(small)
        origin.clock.advance(by: .seconds(15))
        #expect(try await origin.load(small).isStale)
        gate.open()
        await origin.manager.waitForStores()
        let changed = try await origin.load(small)
        #expect(!changed.isStale && changed.image.bitmap.color(x: 0, y: 0) == .white)
        #expect(try await origin.restarted().load(Darkbox.url).image.bitmap == Self.newBitmap)
        #expect(origin.requests.count == 2)
    }

    /// The load itself asks the origin server, so that another request would be one too many.
    @Test func staleResultThatCannotBeDecodedStartsNoRevalidation() async throws {
        let gate = Gate()
        let origin = origin(gate, .data(Darkbox.file))
        let key = try #require(try await origin.load(small).key)
        let whole = try #require(try await origin.box.data.entry(for: key))
        try await origin.box.data.store(DataEntry(whole.data.dropLast(5), metadata: whole.metadata), for: key)
        try await origin.box.data.remove(key.original)
        origin.clock.advance(by: .seconds(15))
        let manager = origin.restarted()
        let load = Task { try await manager.load(Darkbox.url, context: ImageContext(small)) }
        await gate.waitForArrivals()
        gate.open()
        #expect(try await !load.value.isStale)
        await manager.waitForStores()
        #expect(origin.requests.count == 2 && manager.joinedCount == 0)
    }

    /// It fails with the error of a transfer, for example because it asks a server itself.
    @Test(arguments: [false, true]) func failureOfATransformerYieldsNoStaleImage(isInMemory: Bool) async throws {
        let failing = FailingTransformer()
        let origin = Origin(Origin.picture("max-age=10"), Origin.picture("max-age=10", .data(Self.newFile)))
        _ = try await origin.load { $0.transformers = [failing] }
        origin.clock.advance(by: .seconds(15))
        failing.failures.note(true)
        let manager = isInMemory ? origin.manager : origin.restarted()
        let error = await #expect(throws: ImageError.self) {
            try await manager.load(Darkbox.url, context: ImageContext { $0.transformers = [failing] })
        }
        #expect(error?.kind == .network && origin.requests.count == 2)
    }

    @Test func cancelledCallerDoesNotEndTheRevalidation() async throws {
        let (gate, isCancelled) = (Gate(), Recorder<Bool>())
        let origin = Origin(Origin.picture(Self.window)) { _ in
            await gate.wait()
            isCancelled.note(Task.isCancelled)
            return Origin.response(Self.window, .notModified)
        }
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(15))
        let caller = Task { try await origin.load().isStale }
        await gate.waitForArrivals()
        caller.cancel()
        _ = await caller.result
        gate.open()
        await origin.manager.waitForStores()
        #expect(isCancelled.values == [false])
        #expect(try await !origin.load().isStale)
    }

    @Test func cancelAllEndsTheRevalidation() async throws {
        let gate = Gate()
        let origin = origin(gate)
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(15))
        #expect(try await origin.load().isStale)
        await gate.waitForArrivals()
        origin.manager.cancelAll()
        // The gate is still closed, so this returns only because the wait has ended.
        await origin.manager.waitForStores()
        #expect(!origin.manager.isRunning)
        gate.open()
        #expect(try await origin.load().isStale)
    }

    @Test func pastTheWindowTheLoadWaitsForTheOrigin() async throws {
        let gate = Gate()
        gate.open()
        let origin = origin(gate)
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(30))
        #expect(try await !origin.load().isStale)
        #expect(origin.requests.count == 2)
    }

    @Test(arguments: [500, 502, 503, 504])
    func serverErrorYieldsTheStaleImageWithinTheWindow(status: Int) async throws {
        let origin = Origin(Origin.picture("max-age=10, stale-if-error=20"), Origin.failure(status))
        _ = try await origin.load(small)
        origin.clock.advance(by: .seconds(29))
        #expect(try await origin.load(small).isStale)
        #expect(try await origin.restarted().load(Darkbox.url, context: ImageContext(small)).isStale)
        #expect(try await origin.restarted().load(Darkbox.url).isStale)
        origin.clock.advance(by: .seconds(1))
        let error = await #expect(throws: ImageError.self) { try await origin.load(small) }
        #expect(error?.kind == .status)
    }

    /// A refresh says that the cached image does not suffice, however fresh it is.
    @Test(arguments: [("max-age=1000", false), ("max-age=1000, stale-if-error=20", true)])
    func serverErrorFailsARefresh(cacheControl: String, isAllowed: Bool) async throws {
        let origin = Origin(Origin.picture(cacheControl), Origin.failure(503))
        _ = try await origin.load()
        var (events, outcome): ([String], Result<LoadResult, any Error>?) = ([], nil)
        do {
            for try await event in origin.manager.events(
                for: Darkbox.url, context: ImageContext { $0.cacheUse = .refresh })
            {
                switch event {
                case .cached: events.append("cached")
                case .finished(let result): outcome = .success(result)
                default: break
                }
            }
        } catch {
            outcome = .failure(error)
        }
        #expect(events == ["cached"])
        switch outcome {
        case .success(let result): #expect(isAllowed && result.report.decision == .staleOnError(.status))
        case .failure(let error): #expect(!isAllowed && (error as? ImageError)?.kind == .status)
        case nil: Issue.record("the sequence had no end")
        }
    }

    @Test(arguments: [("max-age=10, stale-if-error=20", 404), ("max-age=10", 503)])
    func otherResponsesAreErrors(cacheControl: String, status: Int) async throws {
        let origin = Origin(Origin.picture(cacheControl), Origin.failure(status))
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(20))
        let error = await #expect(throws: ImageError.self) { try await origin.load() }
        #expect(error?.kind == .status)
    }

    @Test(arguments: ["no-cache", "max-age=0, must-revalidate, stale-while-revalidate=9, stale-if-error=9"])
    func imageThatMustBeRevalidatedIsNotUsedOffline(cacheControl: String) async throws {
        let origin = Origin(Origin.picture(cacheControl), Origin.unreachable)
        _ = try await origin.load()
        let error = await #expect(throws: ImageError.self) { try await origin.load() }
        #expect(error?.kind == .network)
    }

    @Test func rememberedFailureDoesNotHideAStaleImage() async throws {
        let origin = Origin(Origin.picture("max-age=0"), Origin.unreachable, remembersAll: true)
        // Nothing is on disk, so the failure is reported.
        origin.box.data.fail(with: ImageError(.internal, .cache, "broken"))
        _ = try await origin.load()
        for _ in 0..<2 { #expect(try await origin.load().isStale) }
        #expect(origin.requests.count == 2)
    }

    @Test func cacheOnlyMarksStaleImages() async throws {
        let origin = Origin(Origin.picture("max-age=10, stale-while-revalidate=20"))
        _ = try await origin.load()
        #expect(try await !origin.load { $0.cacheUse = .cacheOnly }.isStale)
        origin.clock.advance(by: .seconds(15))
        #expect(try await origin.load { $0.cacheUse = .cacheOnly }.isStale)
        await origin.manager.waitForStores()
        #expect(origin.requests.count == 1)
    }

    @Test func loaderOnlyNeverUsesStaleImages() async throws {
        let origin = Origin(Origin.picture("max-age=0"), Origin.unreachable)
        _ = try await origin.load()
        await #expect(throws: ImageError.self) { try await origin.load { $0.cacheUse = .loaderOnly } }
    }
}

/// A transformer that fails once `failures` has an element.
private struct FailingTransformer: ImageTransformer {
    let failures = Recorder<Bool>()

    var identifier: String { "Failing()" }

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        guard failures.values.isEmpty else { throw ImageError(.network, .transform, "unreachable") }
        return bitmap
    }
}
