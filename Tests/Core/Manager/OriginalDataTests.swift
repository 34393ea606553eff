@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Bytes of originals, which are fetched and stored without decoding.
@Suite(.bounded)
struct OriginalDataTests {
    @Test func bytesAreFetchedAndStoredWithoutDecoding() async throws {
        let decodes = Recorder<Int>()
        let box = Darkbox { $0.install(PlainCoder { _ in decodes.note(1) }) }
        let context = ImageContext {
            $0.thumbnail = .fit(6, 6)
            $0.waitsForStore = true
        }
        for origin in [LoadResult.Origin.network, .disk] {
            let original = try await box.manager.data(Darkbox.url, context: context)
            #expect(original.data == Darkbox.file && original.origin == origin && original.url == Darkbox.url)
        }
        #expect(decodes.values.isEmpty && box.loader.requests.count == 1)
        #expect(try await box.manager.load(Darkbox.url, context: context).origin == .original)
    }

    @Test func decodedImageInMemoryHasNoBytes() async throws {
        let box = Darkbox()
        _ = try await box.load { $0.cachePolicy.store = .memory }
        let context = ImageContext {
            $0.thumbnail = .fit(6, 6)
            $0.cachePolicy.originalQuery = .all
        }
        #expect(try await box.manager.data(Darkbox.url, context: context).data == Darkbox.file)
    }

    /// Returns a response with these cookies.
    private func cookies(
        _ values: [String], _ body: LoadResponse.Body, _ headers: [String: String] = ["etag": "\"1\""]
    ) -> Origin.Response {
        { _ in
            var response = Origin.response("max-age=10", body, headers)
            response.setCookies = values
            return response
        }
    }

    /// RFC 9111, sections 3.1 and 3.2.
    @Test func cookiesAreThoseOfTheStoredResponse() async throws {
        let first = ["a=1", "b=2; Path=/"]
        let origin = Origin(
            cookies(first, .data(Darkbox.file)), cookies([], .notModified), cookies(["a=3"], .notModified))
        var context = ImageContext { $0.waitsForStore = true }
        for (use, expected) in [
            (CacheUse.standard, first), (.standard, first), (.refresh, first), (.standard, first), (.refresh, ["a=3"]),
            (.cacheOnly, ["a=3"]),
        ] {
            context.cacheUse = use
            let data = try await origin.manager.data(Darkbox.url, context: context)
            #expect(data.setCookies == expected && data.response?.headers["set-cookie"] == nil)
        }
        #expect(origin.requests.count == 3)
        // Results made from it, which have other readers, have none.
        _ = try await origin.load { $0.thumbnail = .fit(6, 6) }
        for key in origin.box.data.keys where key.variant != [] {
            #expect(try await origin.box.data.entry(for: key)?.metadata.setCookies == [])
        }
    }

    @Test(arguments: [
        ("no-cache=\"set-cookie\", max-age=10", []), ("private=\"set-cookie\", max-age=10", ["a=1"]),
        ("no-cache=\"other\", max-age=10", ["a=1"]),
    ])
    func cookiesAreStoredUnlessTheResponseForbidsIt(cacheControl: String, stored: [String]) async throws {
        let origin = Origin(cookies(["a=1"], .data(Darkbox.file), ["cache-control": cacheControl]))
        let context = ImageContext { $0.waitsForStore = true }
        for expected in [["a=1"], stored] {
            #expect(try await origin.manager.data(Darkbox.url, context: context).setCookies == expected)
        }
        #expect(origin.requests.count == 1)
    }

    @Test(
        arguments: [
            ([:], 0), (["age": "30"], 30), (["age": "30, 90"], 30), (["age": "x"], 0),
            (["date": "Sun, 06 Nov 1994 08:49:17 GMT"], 20),
            (["date": "Sun, 06 Nov 1994 08:49:17 GMT", "age": "30"], 30),
            (["date": "Sun, 06 Nov 1994 08:49:57 GMT"], 0),
        ] as [([String: String], Double)])
    func ageCountsFromTheOriginServer(headers: [String: String], expected: Double) async throws {
        let origin = Origin(Origin.picture("max-age=100", .data(Darkbox.file), headers))
        let context = ImageContext { $0.waitsForStore = true }
        #expect(try await origin.manager.data(Darkbox.url, context: context).age == .seconds(expected))
        origin.clock.advance(by: .seconds(7))
        #expect(try await origin.manager.data(Darkbox.url, context: context).age == .seconds(expected + 7))
    }

    /// A loader that delivers an image without its bytes.
    private var readyImage: FakeLoader {
        FakeLoader { _ in
            let info = ImageInfo(format: .plain, storedSize: Darkbox.bitmap.size)
            return LoadResponse(.image(Image(info: info, bitmap: Darkbox.bitmap)))
        }
    }

    /// It is encoded in the format for results, so that it outlives the process as well.
    @Test func imageOfALoaderIsStoredOnDisk() async throws {
        let box = Darkbox(readyImage)
        _ = try await box.load { $0.waitsForStore = true }
        let stored = try await box.restarted().load(Darkbox.url)
        #expect(stored.origin == .disk && stored.image.bitmap == Darkbox.bitmap)
        #expect(box.loader.requests.count == 1)
    }

    @Test func imageOfALoaderHasNoBytes() async throws {
        let box = Darkbox(readyImage)
        let error = await #expect(throws: ImageError.self) { try await box.manager.data(Darkbox.url) }
        #expect(error?.kind == .unsupported && error?.stage == .load)
    }

    private static let noPicture = Data("<html>".utf8)

    @Test func bytesThatNoCoderAcceptsAreDeliveredButNotStored() async throws {
        let box = Darkbox(FakeLoader(Self.noPicture))
        let context = ImageContext { $0.waitsForStore = true }
        #expect(try await box.manager.data(Darkbox.url, context: context).data == Self.noPicture)
        for kind in [ImageError.Kind.noCoder, .refused] {
            let error = await #expect(throws: ImageError.self) {
                try await box.manager.data(Darkbox.url, context: context, requiresImage: true)
            }
            #expect(error?.kind == kind)
        }
        #expect(try await box.manager.data(Darkbox.url, context: context).origin == .network)
        #expect(box.data.keys.isEmpty && box.loader.requests.count == 3)
    }

    @Test func bytesThatNoCoderAcceptsFailTheLoadsThatShareTheTransfer() async throws {
        let (gate, joined) = (Gate(), Recorder<Int>())
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Self.noPicture))
            })
        let data = Task { try await box.manager.data(Darkbox.url) }
        await gate.waitForArrivals()
        let load = Task {
            try await box.manager.load(Darkbox.url, context: .init()) { if case .queued = $0 { joined.note(1) } }
        }
        await joined.waitForValues(1)
        gate.open()
        #expect(try await data.value.data == Self.noPicture)
        let error = await #expect(throws: ImageError.self) { try await load.value }
        #expect(error?.kind == .noCoder)
        #expect(box.loader.requests.count == 1)
    }

    @Test func bytesThatNoCoderAcceptsReplaceNothing() async throws {
        let origin = Origin(Origin.picture("max-age=10"), Origin.picture("max-age=10", .data(Self.noPicture), [:]))
        _ = try await origin.load { $0.thumbnail = .fit(6, 6) }
        let keys = origin.box.data.keys
        origin.clock.advance(by: .seconds(20))
        #expect(try await origin.manager.data(Darkbox.url).data == Self.noPicture)
        await origin.manager.waitForStores()
        #expect(origin.box.data.keys == keys && keys.count == 2)
    }

    @Test func extendedDataIsStoredUntilTheBytesChange() async throws {
        let newFile = PlainCoder.file(of: Bitmap(12, 8) { _, _ in .white })
        let origin = Origin(
            Origin.picture("max-age=10"), Origin.picture("max-age=10"),
            then: Origin.picture("max-age=10", .data(newFile)))
        let first = try await origin.load {
            $0.extendedData = Data([7])
            $0.waitsForStore = true
        }
        #expect(first.image.metadata.extendedData == Data([7]))
        let stored = try await origin.restarted().load(Darkbox.url)
        #expect(stored.origin == .disk && stored.image.metadata.extendedData == Data([7]))
        for expected in [Data([7]), nil] {
            origin.clock.advance(by: .seconds(11))
            #expect(try await origin.load { $0.waitsForStore = true }.image.metadata.extendedData == expected)
            #expect(try await origin.restarted().load(Darkbox.url).image.metadata.extendedData == expected)
        }
    }

    /// They only affect what is made from an original.
    @Test func animationOptionsShareATransfer() async throws {
        let gate = Gate()
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            })
        // One for each load, which has several events.
        let joined = (0..<3).map { _ in Recorder<Int>() }
        async let plain = box.load(joined: joined[0])
        async let preloaded = box.load(joined: joined[1]) { $0.preloadsFrames = true }
        async let untransformed = box.load(joined: joined[2]) {
            $0.transformers = [Darken()]
            $0.transformsAnimations = false
        }
        for load in joined { await load.waitForValues(1) }
        gate.open()
        // A slower run may find the result of a faster one in memory.
        for result in [try await plain, try await preloaded, try await untransformed] {
            #expect([.network, .memory].contains(result.origin))
        }
        #expect(box.loader.requests.count == 1)
    }
}
