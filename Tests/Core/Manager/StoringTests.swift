@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Images that the app stores itself, as the results of later loads.
@Suite(.bounded)
struct StoringTests {
    private static let bitmap = Bitmap(5, 4) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 200) }
    private static let image = Image(info: ImageInfo(format: .plain, storedSize: bitmap.size), bitmap: bitmap)
    private static var file: Data { PlainCoder.file(of: bitmap) }

    static let plain = ImageContext()
    static let thumbnail = ImageContext { $0.thumbnail = .fit(6, 6) }
    static let transformed = ImageContext {
        $0.thumbnail = .fit(6, 6)
        $0.transformers = [Darken()]
    }

    @Test(arguments: [plain, thumbnail, transformed])
    func storedImageIsAHitInMemoryAndAfterARestartOnDisk(_ context: ImageContext) async throws {
        let box = Darkbox()
        try await box.manager.store(Self.image, for: Darkbox.url, context: context)
        #expect(box.manager.cachedImage(for: Darkbox.url, context: context)?.bitmap == Self.bitmap)
        #expect(await box.manager.explain(Darkbox.url, context: context).origin == .memory)
        let results = [
            try await box.manager.load(Darkbox.url, context: context),
            try await box.restarted().load(Darkbox.url, context: context),
        ]
        #expect(results.map(\.origin) == [.memory, .disk] && box.loader.requests.isEmpty)
        for result in results {
            let metadata = result.image.metadata
            #expect(result.image.bitmap == Self.bitmap)
            #expect(result.key == box.manager.key(for: Darkbox.url, context: context))
            #expect(result.report.decision == .fresh(for: nil))
            #expect(metadata.thumbnail == context.thumbnail && metadata.isTransformed == !context.transformers.isEmpty)
        }
    }

    @Test func givenBytesAreStoredAsTheyAre() async throws {
        let (box, file) = (Darkbox { $0.resultFormat = nil }, Self.file + Data([7]))
        try await box.manager.store(Self.image, for: Darkbox.url, encoded: file)
        #expect(try await box.manager.data(Darkbox.url).data == file)
        #expect(try await box.restarted().load(Darkbox.url).encodedData == file)
    }

    @Test func storedOriginalReplacesEverythingOfItsSource() async throws {
        let box = Darkbox()
        _ = try await box.manager.load(Darkbox.url, context: Self.thumbnail)
        _ = try await box.manager.encoded(Darkbox.url, as: .plain)
        await box.manager.waitForStores()
        try await box.manager.store(Self.image, for: Darkbox.url)
        let original = CacheKey(source: Darkbox.url.absoluteString)
        #expect(box.images.keys == [original] && box.data.keys == [original])
        let small = try await box.manager.load(Darkbox.url, context: ImageContext { $0.thumbnail = .fit(2, 2) })
        #expect(small.origin == .original && small.image.size == PixelSize(2, 2))
        let file = try await box.manager.encoded(Darkbox.url, as: .plain)
        #expect(try CoderRegistry([PlainCoder()]).decode(file.data).bitmap == Self.bitmap)
        await box.manager.waitForStores()
        #expect(try await box.manager.encoded(Darkbox.url, as: .plain).isCached)
        #expect(box.loader.requests.count == 1)
    }

    @Test func storedVariantReplacesOnlyItself() async throws {
        let box = Darkbox()
        let context = ImageContext {
            $0.thumbnail = .fit(6, 6)
            $0.encodedFormat = .only(.plain)
        }
        for context in [Self.plain, context] { _ = try await box.manager.load(Darkbox.url, context: context) }
        _ = try await box.manager.encoded(Darkbox.url, context: context)
        await box.manager.waitForStores()
        try await box.manager.store(Self.image, for: Darkbox.url, context: context)
        for manager in [box.manager, box.restarted()] {
            #expect(try await manager.load(Darkbox.url).image.bitmap == Darkbox.bitmap)
            #expect(try await manager.load(Darkbox.url, context: context).image.bitmap == Self.bitmap)
            let file = try await manager.encoded(Darkbox.url, context: context)
            #expect(try CoderRegistry([PlainCoder()]).decode(file.data).bitmap == Self.bitmap)
        }
        #expect(box.loader.requests.count == 1)
    }

    @Test(.bug(id: "Fix encoded results that ignored a stored variant after a restart"))
    func storedVariantIsEncodedAfterARestart() async throws {
        let box = Darkbox()
        _ = try await box.manager.load(Darkbox.url)
        await box.manager.waitForStores()
        try await box.manager.store(Self.image, for: Darkbox.url, context: Self.thumbnail)
        let restarted = box.restarted()
        #expect(await restarted.explainEncoded(Darkbox.url, context: Self.thumbnail, as: .plain).origin == .disk)
        let file = try await restarted.encoded(Darkbox.url, context: Self.thumbnail, as: .plain)
        #expect(try CoderRegistry([PlainCoder()]).decode(file.data).bitmap == Self.bitmap)
        #expect(file.origin == .disk && !file.isCached)
    }

    /// The response and the results of a load that began before are older than the image of the app.
    @Test(arguments: [plain, thumbnail]) func loadInFlightStoresNothingOverIt(_ context: ImageContext) async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            })
        let load = Task { try await box.manager.load(Darkbox.url, context: context) }
        await gate.waitForArrivals()
        try await box.manager.store(Self.image, for: Darkbox.url, context: context)
        box.images.removeAll()
        let later = try await box.manager.load(Darkbox.url, context: context)
        #expect(later.image.bitmap == Self.bitmap && later.origin == .disk, "it does not join the load in flight")
        gate.open()
        #expect(try await load.value.origin == .network)
        await box.manager.waitForStores()
        for manager in [box.manager, box.restarted()] {
            #expect(try await manager.load(Darkbox.url, context: context).image.bitmap == Self.bitmap)
        }
        let key = try #require(later.key)
        #expect(box.data.keys == [key] && box.loader.requests.count == 1)
    }

    @Test func refreshReplacesIt() async throws {
        let box = Darkbox()
        try await box.manager.store(Self.image, for: Darkbox.url)
        try await box.manager.store(Self.image, for: Darkbox.url, context: Self.thumbnail)
        let refreshed = try await box.load {
            $0.cacheUse = .refresh
            $0.waitsForStore = true
        }
        #expect(refreshed.image.bitmap == Darkbox.bitmap && refreshed.report.decision == .changed)
        #expect(box.images.keys.count == 1 && box.data.keys.count == 1, "the variant is older than the new original")
        #expect(try await box.restarted().load(Darkbox.url).image.bitmap == Darkbox.bitmap)
    }

    @Test func itIsAsFreshAsItsVersion() async throws {
        let origin = Origin(Origin.picture("max-age=10"))
        let loaded = try await origin.load { $0.waitsForStore = true }
        let other = try #require(URL(string: "http://example.com/b.plain"))
        try await origin.manager.store(loaded.image, for: other)
        try await origin.manager.store(Self.image, for: Darkbox.url, context: Self.thumbnail)
        origin.clock.advance(by: .seconds(11))
        #expect(origin.manager.cachedImage(for: other) == nil)
        #expect(origin.manager.cachedImage(for: Darkbox.url, context: Self.thumbnail) != nil)
        _ = try await origin.manager.load(other)
        #expect(origin.requests.map(\.url) == [Darkbox.url, other])
    }

    @Test func cachePolicySelectsTheTiers() async throws {
        for (store, inMemory, onDisk) in [(CachePolicy.Tiers.memory, 1, 0), (.disk, 0, 1)] {
            let box = Darkbox()
            var context = Self.thumbnail
            context.cachePolicy.store = store
            try await box.manager.store(Self.image, for: Darkbox.url, context: context)
            #expect(box.images.keys.count == inMemory && box.data.keys.count == onDisk)
        }
    }

    @Test func imageThatNoCacheStoresIsRefused() async throws {
        struct NoKey: CacheKeyFilter {
            func key(for url: URL, soFar: String, context: ImageContext) -> String? { nil }
        }
        let box = Darkbox()
        for context in [ImageContext { $0.cachePolicy = .none }, ImageContext { $0.keyFilters = [NoKey()] }] {
            let error = await #expect(throws: ImageError.self) {
                try await box.manager.store(Self.image, for: Darkbox.url, context: context)
            }
            #expect(error?.kind == .refused && error?.stage == .cache)
        }
    }

    @Test func nothingIsReplacedIfTheImageCannotBeEncoded() async throws {
        let box = Darkbox { $0.resultFormat = .only(.png) }
        _ = try await box.load { $0.waitsForStore = true }
        let failures: [(ImageError.Kind, ImageError.Stage, Data?)] = [
            (.unsupported, .encode, nil), (.noCoder, .decode, Data("no picture".utf8)),
        ]
        for (kind, stage, file) in failures {
            let error = await #expect(throws: ImageError.self) {
                try await box.manager.store(Self.image, for: Darkbox.url, encoded: file)
            }
            #expect(error?.kind == kind && error?.stage == stage)
        }
        #expect(box.manager.cachedImage(for: Darkbox.url)?.bitmap == Darkbox.bitmap)
    }

    @Test func errorOfTheDataCacheIsThrownAndTheImageIsInMemory() async throws {
        let box = Darkbox()
        box.data.fail(with: ImageError(.internal, .cache, "the disk is full"))
        for context in [Self.plain, Self.thumbnail] {
            let error = await #expect(throws: ImageError.self) {
                try await box.manager.store(Self.image, for: Darkbox.url, context: context)
            }
            #expect(error?.message == "the disk is full")
            #expect(box.manager.cachedImage(for: Darkbox.url, context: context)?.bitmap == Self.bitmap)
        }
    }

    @Test func partOfAnImageIsNotStored() async throws {
        let box = Darkbox()
        for flag in [\Image.Metadata.isPreview, \.isIncomplete] {
            var metadata = Image.Metadata()
            metadata[keyPath: flag] = true
            let part = Image(info: Self.image.info, bitmap: Self.bitmap, metadata: metadata)
            let error = await #expect(throws: ImageError.self) { try await box.manager.store(part, for: Darkbox.url) }
            #expect(error?.kind == .incomplete)
        }
        #expect(box.images.keys.isEmpty && box.data.keys.isEmpty)
    }

    @Test func animationIsNotStoredForALoadThatTransformsNone() async throws {
        let frames = [
            Frame(Self.bitmap, duration: .milliseconds(100)), Frame(Self.bitmap, duration: .milliseconds(100)),
        ]
        let (box, animation) = (Darkbox(), try #require(Image(frames: frames)))
        let context = ImageContext {
            $0.transformers = [Darken()]
            $0.transformsAnimations = false
        }
        let error = await #expect(throws: ImageError.self) {
            try await box.manager.store(animation, for: Darkbox.url, context: context)
        }
        #expect(error?.kind == .unsupported && error?.stage == .cache)
    }

    @Test func extendedDataIsStoredWithIt() async throws {
        let box = Darkbox()
        try await box.manager.store(
            Self.image, for: Darkbox.url, context: ImageContext { $0.extendedData = Data([9]) })
        for manager in [box.manager, box.restarted()] {
            #expect(try await manager.load(Darkbox.url).image.metadata.extendedData == Data([9]))
        }
    }

    @Test func serializerChoosesTheBytes() async throws {
        struct Appending: CacheSerializer {
            func data(for image: Image?, encoded: Data?, url: URL) -> Data? { encoded.map { $0 + Data([1]) } }
        }
        let box = Darkbox { $0.install(Appending()) }
        try await box.manager.store(Self.image, for: Darkbox.url, encoded: Self.file)
        #expect(try await box.manager.data(Darkbox.url).data == Self.file + Data([1]))
    }

    /// A store by the app is not dropped because many others are pending.
    @Test func pendingStoresDoNotPreventIt() async throws {
        let disk = SlowDisk()
        let box = Darkbox(FakeLoader { _ in LoadResponse(.data(Darkbox.file + Data(count: 33 << 20))) }) {
            $0.dataCache = disk
        }
        _ = try await box.load()
        let other = try #require(URL(string: "http://example.com/b.plain"))
        try await box.manager.store(Self.image, for: other)
        #expect(disk.base.keys.map(\.source) == [other.absoluteString])
        disk.gate.open()
    }

    /// A loader that permits no entry without a record of how it was obtained permits those of the app.
    @Test func restrictedLoaderPermitsIt() async throws {
        struct Strict: ImageLoader {
            let restrictsAccess = true
            func canLoad(_ url: URL) -> Bool { true }
            func load(_ request: LoadRequest) async throws -> LoadResponse { throw ImageError.cancelled }
            func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool { route != nil }
        }
        let box = Darkbox { $0.install(Strict()) }
        try await box.manager.store(Self.image, for: Darkbox.url)
        #expect(try await box.load().origin == .memory)
        #expect(try await box.load { $0.cachePolicy.query = .disk }.origin == .disk)
    }
}

/// A data cache in which the store of the first source waits for the gate.
private struct SlowDisk: DataCacheWrapper {
    let base = FakeDataCache()
    let gate = Gate()

    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        if key.source == Darkbox.url.absoluteString { await gate.wait() }
        try await base.store(entry, for: key, with: ticket)
    }
}
