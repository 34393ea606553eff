@testable import DarkroomCore
import DarkroomTestKit
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct ImageManagerTests {
    private let small: @Sendable (inout ImageContext) -> Void = {
        $0.thumbnail = .fit(6, 6)
        $0.waitsForStore = true
    }

    @Test func tiersAreReadInOrder() async throws {
        let box = Darkbox()
        let cold = try await box.load(small)
        #expect(cold.origin == .network)
        #expect(cold.encodedData == nil && cold.original == nil, "an app that holds it does not hold the original")
        #expect(cold.image.size == PixelSize(6, 4))

        let warm = try await box.load(small)
        #expect(warm.origin == .memory)
        #expect(warm.image.bitmap == cold.image.bitmap)

        let finished = try await box.restarted().load(Darkbox.url, context: ImageContext(small))
        #expect(finished.origin == .disk)
        #expect(finished.image.bitmap == cold.image.bitmap)
        #expect(finished.image.info == cold.image.info)
        #expect(finished.image.metadata.thumbnail == cold.image.metadata.thumbnail)

        let other = try await box.restarted().load(Darkbox.url, context: ImageContext { $0.thumbnail = .fit(3, 3) })
        #expect(other.origin == .original)
        #expect(other.image.bitmap == (try Darkbox.bitmap.resized(to: PixelSize(3, 2))))

        let whole = try await box.restarted().load(Darkbox.url)
        #expect(whole.origin == .disk)
        #expect(whole.encodedData == Darkbox.file)
        #expect(box.loader.requests.count == 1)
    }

    @Test func allVariantsShareOneTransfer() async throws {
        let (gate, joined) = (Gate(), Recorder<Int>())
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            })
        try await withThrowingTaskGroup(of: PixelSize.self) { group in
            for side in 1...8 {
                group.addTask {
                    try await box.load(joined: joined) { $0.thumbnail = .stretch(Double(side), Double(side)) }.image
                        .size
                }
            }
            await joined.waitForValues(8)
            gate.open()
            var sizes: Set<PixelSize> = []
            for try await size in group { sizes.insert(size) }
            #expect(sizes == Set((1...8).map { PixelSize($0, $0) }))
        }
        #expect(box.loader.requests.count == 1)
    }

    @Test func memoryHitUsesNothingElse() async throws {
        let box = Darkbox()
        let image = try await box.load().image
        box.data.fail(with: ImageError(.internal, .cache, "not to be asked"))
        #expect(box.manager.cachedImage(for: Darkbox.url)?.bitmap == image.bitmap)
        #expect(try await box.load().origin == .memory)
    }

    @Test func failingCacheIsAMiss() async throws {
        let box = Darkbox()
        box.data.fail(with: ImageError(.internal, .cache, "broken"))
        #expect(try await box.load(small).origin == .network)
        #expect(try await box.restarted().load(Darkbox.url, context: ImageContext(small)).origin == .network)
    }

    @Test func corruptOriginalIsReloadedOnce() async throws {
        let box = Darkbox()
        let key = try #require(box.manager.key(for: Darkbox.url))
        try await box.data.store(DataEntry(Darkbox.file.dropLast(5)), for: key)
        let result = try await box.load { $0.waitsForStore = true }
        #expect(result.origin == .network)
        #expect(try await box.data.entry(for: key)?.data == Darkbox.file)
    }

    @Test func corruptResultIsMadeAgain() async throws {
        let box = Darkbox()
        let key = try #require(box.manager.key(for: Darkbox.url, context: ImageContext(small)))
        try await box.data.store(DataEntry(Darkbox.file.dropLast(5)), for: key)
        #expect(try await box.load(small).image.size == PixelSize(6, 4))
    }

    @Test func invalidBytesAreNotStored() async throws {
        let box = Darkbox(FakeLoader(Data("<html>".utf8)))
        await #expect(throws: ImageError.self) { try await box.load() }
        #expect(box.data.keys.isEmpty)
    }

    @Test func failureIsRememberedForItsLifetime() async throws {
        let box = Darkbox(FakeLoader(Data("<html>".utf8)))
        let first = await #expect(throws: ImageError.self) { try await box.load() }
        let second = await #expect(throws: ImageError.self) { try await box.load() }
        #expect(first?.kind == .noCoder)
        #expect(second?.kind == .refused)
        #expect(box.loader.requests.count == 1)
        await #expect(throws: ImageError.self) { try await box.load { $0.retriesFailed = true } }
        #expect(box.loader.requests.count == 2)
        box.manager.removeFailed(Darkbox.url)
        await #expect(throws: ImageError.self) { try await box.load() }
        #expect(box.loader.requests.count == 3)
    }

    @Test func cacheOnlyNeverCallsTheLoader() async throws {
        let box = Darkbox()
        let miss = await #expect(throws: ImageError.self) { try await box.load { $0.cacheUse = .cacheOnly } }
        #expect(miss?.kind == .cacheOnlyMiss)
        _ = try await box.load()
        #expect(try await box.load { $0.cacheUse = .cacheOnly }.origin == .memory)
        #expect(box.loader.requests.count == 1)
    }

    @Test func loaderOnlyNeverReadsTheCaches() async throws {
        let box = Darkbox()
        for _ in 0..<2 { #expect(try await box.load { $0.cacheUse = .loaderOnly }.origin == .network) }
        #expect(box.loader.requests.map(\.stored) == [nil, nil])
    }

    @Test func transformersAreAppliedInOrderAndTheResultStored() async throws {
        let box = Darkbox()
        let darken: @Sendable (inout ImageContext) -> Void = {
            $0.transformers = [Darken()]
            $0.waitsForStore = true
        }
        let result = try await box.load(darken)
        #expect(result.key?.variant == ["Darken()"])
        #expect(result.image.metadata.isTransformed)
        #expect(result.image.bitmap.color(x: 11, y: 7) == Color(red: 110, green: 105, blue: 49))
        let kept = try await box.restarted().load(Darkbox.url, context: ImageContext(darken))
        #expect(kept.origin == .disk)
        #expect(kept.image.bitmap == result.image.bitmap)
        #expect(kept.image.metadata.isTransformed)
    }

    @Test func failingTransformerFailsTheLoad() async throws {
        struct Refuse: ImageTransformer {
            var identifier: String { "Refuse()" }
            func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
                throw ImageError(.unsupported, .transform, "not supported")
            }
        }
        let error = await #expect(throws: ImageError.self) { try await Darkbox().load { $0.transformers = [Refuse()] } }
        #expect(error?.stage == .transform)
    }

    @Test func filterThatReturnsNilBypassesAllCaches() async throws {
        struct NoCache: CacheKeyFilter {
            func key(for url: URL, soFar text: String, context: ImageContext) -> String? { nil }
        }
        let box = Darkbox { $0.install(NoCache()) }
        let result = try await box.load(small)
        #expect(result.key == nil)
        #expect(box.images.keys.isEmpty && box.data.keys.isEmpty)
        #expect(try await box.load(small).origin == .network)
    }

    @Test func changedFileIsLoadedAgain() async throws {
        let box = Darkbox(FakeLoader(Darkbox.file, version: "1"))
        #expect(try await box.load(small).origin == .local)
        #expect(try await box.load(small).origin == .memory)
        #expect(box.data.keys.map(\.variant) == [["Thumbnail({6.000000,6.000000},1)"]])
        #expect(try await box.restarted().load(Darkbox.url, context: ImageContext(small)).origin == .disk)
        box.loader.setVersion("2")
        #expect(try await box.load(small).origin == .local)
        #expect(try await box.restarted().load(Darkbox.url, context: ImageContext(small)).origin == .disk)
    }

    @Test func unknownSchemesAndEmptyURLsAreReported() async throws {
        let manager = try! ImageManager { $0.install(PlainCoder()) }
        let error = await #expect(throws: ImageError.self) { try await manager.load(URL(string: "gopher://a/b")!) }
        #expect(error?.kind == .noLoader)
        #expect(error?.message == "no loader for gopher URLs is installed")
    }

    @Test func scaleInTheNameOnlyAffectsMetadata() async throws {
        let box = Darkbox()
        let image = try await box.manager.load(URL(string: "http://example.com/cat@2x.plain")!).image
        #expect(image.metadata.scale == 2)
        #expect(image.size == Darkbox.bitmap.size)
        let scaled = try await box.manager.load(
            URL(string: "http://example.com/cat@2x.plain")!, context: ImageContext { $0.scale = 3 })
        #expect(scaled.origin == .memory)
        #expect(scaled.image.metadata.scale == 3)
    }

    @Test func tooManyBytesEndTheTransfer() async throws {
        let box = Darkbox(
            FakeLoader { _ in
                LoadResponse(.chunks(AsyncThrowingStream(unfolding: { Data(count: 1000) })))
            })
        let error = await #expect(throws: ImageError.self) {
            try await box.load { $0.limits.encodedByteCount = 10_500 }
        }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("encodedByteCount is 11000") == true)
    }

    @Test func truncatedTransferIsAnError() async throws {
        let box = Darkbox(
            FakeLoader { _ in
                let chunks = AsyncThrowingStream<Data, any Error> { stream in
                    stream.yield(Darkbox.file)
                    stream.finish()
                }
                return LoadResponse(.chunks(chunks), expectedByteCount: Darkbox.file.count + 1)
            })
        let error = await #expect(throws: ImageError.self) { try await box.load() }
        #expect(error?.kind == .network)
        #expect(box.data.keys.isEmpty)
    }

    @Test func cancellationReachesTheCoder() async throws {
        let (isDecoding, stopped) = (Gate(), Gate())
        let isCancelled = DispatchSemaphore(value: 0)
        let box = Darkbox {
            $0.install(
                PlainCoder { request in
                    isDecoding.open()
                    isCancelled.wait()
                    #expect(request.isCancelled)
                    stopped.open()
                    try request.checkCancellation()
                })
        }
        let load = Task { try await box.load() }
        await isDecoding.wait()
        load.cancel()
        isCancelled.signal()
        let error = await #expect(throws: ImageError.self) { try await load.value }
        #expect(error?.kind == .cancelled)
        await stopped.wait()
        #expect(box.images.keys.isEmpty)
    }

    @Test func cancelAllEndsEveryLoad() async throws {
        let (gate, joined) = (Gate(), Recorder<Int>())
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            })
        let loads = (1...3).map { side in
            Task { try await box.load(joined: joined) { $0.thumbnail = .fit(Double(side), 9) } }
        }
        await joined.waitForValues(3)
        #expect(box.manager.isRunning)
        box.manager.cancelAll()
        for load in loads { await #expect(throws: ImageError.self) { try await load.value } }
        #expect(!box.manager.isRunning)
        gate.open()
    }

    @Test func diskHitDuringARemovalDoesNotStayInMemory() async throws {
        struct SlowRemoval: DataCacheWrapper {
            let base = FakeDataCache()
            let gate = Gate()

            func removeAll(ofSource source: String) async throws {
                await gate.wait()
                try await base.removeAll(ofSource: source)
            }
        }
        let disk = SlowRemoval()
        let box = Darkbox { $0.dataCache = disk }
        _ = try await box.load { $0.waitsForStore = true }
        let removal = Task { try await box.manager.removeAll(of: Darkbox.url) }
        await disk.gate.waitForArrivals()
        #expect(try await box.load().origin == .disk)
        disk.gate.open()
        try await removal.value
        #expect(box.images.keys.isEmpty && disk.base.keys.isEmpty)
    }

    @Test func everythingOfASourceIsRemovedTogether() async throws {
        let box = Darkbox()
        _ = try await box.load(small)
        _ = try await box.load()
        try await box.manager.removeAll(of: Darkbox.url)
        #expect(box.images.keys.isEmpty && box.data.keys.isEmpty)
    }
}
