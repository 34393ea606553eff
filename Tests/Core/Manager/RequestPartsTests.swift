@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// The parts that belong to one request, and the modifiers of requests and cached bytes.
@Suite(.bounded)
struct RequestPartsTests {
    private let other = Bitmap(3, 2) { x, y in Color(red: 1, green: UInt8(x), blue: UInt8(y)) }

    @Test func contextCanProvideTheLoader() async throws {
        let (box, own) = (Darkbox(), FakeLoader(PlainCoder.file(of: other)))
        let result = try await box.load {
            $0.loader = own
            $0.cachePolicy = .none
        }
        #expect(result.image.bitmap == other && box.loader.requests.isEmpty)
    }

    @Test func errorOfTheContextsLoaderIsNotRetriedWithAnother() async throws {
        struct NoLoader: ImageLoader {
            func canLoad(_ url: URL) -> Bool { false }
            func load(_ request: LoadRequest) async throws -> LoadResponse { throw ImageError.cancelled }
        }
        let box = Darkbox()
        let error = await #expect(throws: ImageError.self) { try await box.load { $0.loader = NoLoader() } }
        #expect(error?.kind == .noLoader && box.loader.requests.isEmpty)
    }

    @Test func contextsCoderIsUsedWithoutCanDecode() async throws {
        struct OnePixel: ImageCoder {
            var formats: [ImageFormat] { [] }
            func info(of request: InfoRequest) throws -> ImageInfo {
                ImageInfo(format: .png, storedSize: PixelSize(1, 1))
            }
            func decode(_ request: DecodeRequest) throws -> Bitmap { Bitmap(1, 1) { _, _ in .white } }
        }
        #expect(try await Darkbox().load { $0.coder = OnePixel() }.image.size == PixelSize(1, 1))
    }

    @Test func failureOfTheContextsCoderDoesNotAffectOthers() async throws {
        struct Fastidious: ImageCoder {
            var formats: [ImageFormat] { [] }
            func info(of request: InfoRequest) throws -> ImageInfo {
                throw ImageError(.corrupt, .decode, "not to my taste")
            }
            func decode(_ request: DecodeRequest) throws -> Bitmap { throw ImageError.cancelled }
        }
        let box = Darkbox()
        _ = try await box.load { $0.waitsForStore = true }
        box.images.removeAll()
        let error = await #expect(throws: ImageError.self) { try await box.load { $0.coder = Fastidious() } }
        #expect(error?.kind == .corrupt)
        #expect(try await box.load().origin == .disk)
    }

    @Test func failureOfTheContextsLoaderDoesNotAffectOthers() async throws {
        let (box, own) = (Darkbox(), FakeLoader { _ in throw ImageError(.invalidURL, .load, "not to my taste") })
        let error = await #expect(throws: ImageError.self) { try await box.load { $0.loader = own } }
        #expect(error?.kind == .invalidURL)
        #expect(try await box.load().origin == .network)
    }

    @Test func stricterLimitRemovesNoStoredResult() async throws {
        let box = Darkbox()
        let small: @Sendable (inout ImageContext) -> Void = { $0.thumbnail = .fit(6, 6) }
        _ = try await box.load {
            small(&$0)
            $0.waitsForStore = true
        }
        box.images.removeAll()
        let error = await #expect(throws: ImageError.self) {
            try await box.load {
                small(&$0)
                $0.limits.pixelCount = 1
            }
        }
        #expect(error?.kind == .overLimit)
        #expect(try await box.load(small).origin == .disk)
    }

    @Test func contextCanProvideTheCaches() async throws {
        let (box, images, data) = (Darkbox(), FakeImageCache(), FakeDataCache())
        let context = ImageContext {
            $0.imageCache = images
            $0.dataCache = data
            $0.waitsForStore = true
        }
        _ = try await box.manager.load(Darkbox.url, context: context)
        #expect(box.images.keys.isEmpty && box.data.keys.isEmpty)
        #expect(images.keys.count == 1 && data.keys.count == 1)
        #expect(try await box.manager.load(Darkbox.url, context: context).origin == .memory)
        #expect(box.manager.cachedImage(for: Darkbox.url, context: context) != nil)
        #expect(box.manager.cachedImage(for: Darkbox.url) == nil)
    }

    @Test(.bug(id: "Fix originals in the manager's cache of a request with its own data cache"))
    func dataCacheOfAContextIsAlsoThatOfItsOriginals() async throws {
        let (originals, own) = (FakeDataCache(), FakeDataCache())
        let box = Darkbox { $0.originalCache = originals }
        let context = ImageContext {
            $0.dataCache = own
            $0.thumbnail = .fit(6, 6)
            $0.waitsForStore = true
        }
        _ = try await box.manager.load(Darkbox.url, context: context)
        #expect(own.keys.count == 2 && originals.keys.isEmpty && box.data.keys.isEmpty)
    }

    @Test func contextCanProvideTheKeyFilters() async throws {
        struct Constant: CacheKeyFilter {
            func key(for url: URL, soFar: String, context: ImageContext) -> String? { "constant" }
        }
        let box = Darkbox { $0.install(Constant()) }
        #expect(box.manager.key(for: Darkbox.url)?.source == "constant")
        let plain = ImageContext { $0.keyFilters = [] }
        #expect(box.manager.key(for: Darkbox.url, context: plain)?.source == Darkbox.url.absoluteString)
    }

    @Test func loadsShareARunOnlyWithComponentsOfTheSameContext() async throws {
        let (gate, box) = (Gate(), Darkbox())
        let own = FakeLoader { _ in
            await gate.wait()
            return LoadResponse(.data(Darkbox.file))
        }
        let context = ImageContext { $0.loader = own }
        let twin = ImageContext { $0.loader = own }
        async let first = box.manager.load(Darkbox.url, context: context)
        async let second = box.manager.load(Darkbox.url, context: twin)
        await gate.waitForArrivals(2)
        let joined = Recorder<Int>()
        async let third = box.manager.load(Darkbox.url, context: context) { _ in joined.note(1) }
        await joined.waitForValues(1)
        gate.open()
        _ = try await (first, second, third)
        #expect(own.requests.count == 2)
    }

    @Test func processorsRewriteURLAndContextBeforeTheKey() async throws {
        struct Halved: RequestProcessor {
            func process(url: inout URL, context: inout ImageContext) {
                url = URL(string: url.absoluteString + "?half")!
                context.thumbnail = .fit(6, 4)
            }
        }
        let box = Darkbox { $0.install(Halved()) }
        let result = try await box.load()
        #expect(result.image.size == PixelSize(6, 4))
        #expect(result.key?.source == "http://example.com/a.plain?half")
        #expect(box.loader.requests.map(\.url.absoluteString) == ["http://example.com/a.plain?half"])
        #expect(box.manager.cachedImage(for: Darkbox.url) != nil)
    }

    /// A processor may count or sign requests, so it must not run for a lookup and again for the load.
    @Test func processorsAndKeyFiltersRunOnceForEachLoad() async throws {
        struct CountingProcessor: RequestProcessor {
            let calls: Recorder<Int>
            func process(url: inout URL, context: inout ImageContext) { calls.note(1) }
        }
        struct CountingFilter: CacheKeyFilter {
            let calls: Recorder<Int>
            func key(for url: URL, soFar: String, context: ImageContext) -> String? {
                calls.note(1)
                return soFar
            }
        }
        let (processed, filtered) = (Recorder<Int>(), Recorder<Int>())
        let box = Darkbox {
            $0.install(CountingProcessor(calls: processed))
            $0.install(CountingFilter(calls: filtered))
        }
        var count = 0
        for origin in [LoadResult.Origin.network, .memory] {
            count += 1
            #expect(try await box.load().origin == origin)
            #expect(processed.values.count == count && filtered.values.count == count)
        }
        box.images.removeAll()
        for try await _ in box.manager.events(for: Darkbox.url) {}
        #expect(processed.values.count == 3 && filtered.values.count == 3)
    }

    @Test func resultHasTheURLOfItsRequest() async throws {
        let gate = Gate()
        struct OneKey: CacheKeyFilter {
            func key(for url: URL, soFar: String, context: ImageContext) -> String? { "constant" }
        }
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            }
        ) { $0.install(OneKey()) }
        let other = try #require(URL(string: "http://example.com/b.plain"))
        let joined = Recorder<Int>()
        async let first = box.load(joined: joined)
        await joined.waitForValues(1)
        async let second = box.manager.load(other, context: .init()) { _ in joined.note(1) }
        await joined.waitForValues(2)
        gate.open()
        #expect(try await first.url == Darkbox.url)
        #expect(try await second.url == other)
        #expect(try await box.manager.load(other).url == other)
    }

    @Test(.bug(id: "Fix loads of the URL that a processor failed to replace"))
    func failedRewriteFailsTheRequest() async throws {
        struct Unmapped: Error {}
        struct Mapping: RequestProcessor {
            let error: any Error
            func process(url: inout URL, context: inout ImageContext) throws { throw error }
        }
        let box = Darkbox()
        _ = try await box.load { $0.waitsForStore = true }
        for error in [Unmapped() as any Error, ImageError(.invalidURL, .request, "Unmapped")] {
            let manager = box.restarted {
                $0.install(Mapping(error: error))
                $0.imageCache = box.images
            }
            #expect(manager.cachedImage(for: Darkbox.url) == nil && manager.key(for: Darkbox.url) == nil)
            #expect(await !manager.isCached(Darkbox.url))
            #expect(await manager.explain(Darkbox.url).failure?.message.contains("Unmapped") == true)
            for use in [CacheUse.standard, .cacheOnly, .refresh, .loaderOnly] {
                let thrown = await #expect(throws: ImageError.self) {
                    try await manager.load(Darkbox.url, context: ImageContext { $0.cacheUse = use })
                }
                #expect(thrown?.message.contains("Unmapped") == true && thrown?.stage == .request)
            }
            await #expect(throws: ImageError.self) { try await manager.removeAll(of: Darkbox.url) }
        }
        #expect(box.loader.requests.count == 1)
    }

    @Test func serializerReceivesImageAndBytes() async throws {
        let calls = Recorder<String>()
        let other = other
        let box = Darkbox { $0.install(Recoder(calls: calls, output: PlainCoder.file(of: other))) }
        let plain = try await box.load { $0.waitsForStore = true }
        #expect(plain.image.bitmap == Darkbox.bitmap)
        #expect(calls.values == ["image and bytes"])
        #expect(
            try await box.restarted().load(Darkbox.url).image.bitmap == other,
            "the stored bytes are those of the serializer")
        try await box.manager.removeAll(of: Darkbox.url)
        _ = try await box.load {
            $0.thumbnail = .fit(6, 6)
            $0.waitsForStore = true
        }
        #expect(Set(calls.values.dropFirst()) == ["bytes", "image"])
    }

    @Test func failingSerializerStoresNothing() async throws {
        let box = Darkbox { $0.install(Recoder(calls: Recorder(), output: nil)) }
        _ = try await box.load { $0.waitsForStore = true }
        #expect(box.data.keys.isEmpty)
    }

    @Test func invalidConfigurationIsRefusedAtInitialization() {
        let mistakes: [(inout ImageManager.Components) -> Void] = [
            { $0.failedURLLifetime = .seconds(-1) }, { $0.defaults.limits.pixelCount = 0 },
            { $0.defaults.limits.workTime = .seconds(0) },
        ]
        let knobs = ["failedURLLifetime", "pixelCount", "workTime"]
        for (mistake, knob) in zip(mistakes, knobs) {
            let error = #expect(throws: ImageError.self) { try ImageManager(mistake) }
            #expect(error?.message.contains(knob) == true)
        }
    }
}

private struct Recoder: CacheSerializer {
    let calls: Recorder<String>
    let output: Data?

    func data(for image: Image?, encoded: Data?, url: URL) throws -> Data? {
        calls.note(
            [image.map { _ in "image" }, encoded.map { _ in "bytes" }].compactMap(\.self).joined(separator: " and "))
        guard let output else { throw ImageError(.internal, .encode, "no") }
        return image == nil || encoded == nil ? nil : output
    }
}
