@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Responses that must never be cached.
@Suite(.bounded)
struct NeverStoredTests {
    private static func chunks(_ parts: Data..., failure: ImageError? = nil) -> LoadResponse.Body {
        let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
        for part in parts { stream.yield(part) }
        stream.finish(throwing: failure)
        return .chunks(chunks)
    }

    private static func sending(_ body: @escaping @Sendable () -> LoadResponse.Body, announcing count: Int? = nil)
        -> Origin.Response
    {
        { _ in
            var response = Origin.response("max-age=60", body())
            response.expectedByteCount = count
            return response
        }
    }

    private static var count: Int { Darkbox.file.count }

    /// The responses: a description, the kind of the error, and the response itself.
    private static var failures: [(String, ImageError.Kind, Origin.Response)] {
        [
            ("bytes without a range, as 206", .status, Origin.picture("max-age=60", status: 206)),
            (
                "a part of the bytes, as 206", .status,
                Origin.picture("max-age=60", status: 206, ["content-range": "bytes 0-\(count - 1)/\(count + 1)"])
            ),
            ("fewer bytes than announced", .network, sending({ .data(Darkbox.file) }, announcing: count + 1)),
            ("more bytes than announced", .network, sending({ .data(Darkbox.file) }, announcing: count - 1)),
            ("fewer chunks than announced", .network, sending({ chunks(Darkbox.file) }, announcing: count + 1)),
            ("more chunks than announced", .network, sending({ chunks(Darkbox.file, Data([1])) }, announcing: count)),
            (
                "a connection that breaks", .network,
                sending({ chunks(Darkbox.file, failure: ImageError(.network, .load, "broken")) })
            ),
            ("a truncated image", .incomplete, sending({ .data(Darkbox.file.dropLast(5)) })),
            ("an HTML page", .noCoder, sending({ .data(Data("<html>".utf8)) })),
            ("an HTML page in chunks", .noCoder, sending({ chunks(Data("<ht".utf8), Data("ml>".utf8)) })),
            ("an empty body", .corrupt, sending({ .data(Data()) })),
            ("an error status", .status, Origin.failure(404)), ("a failed connection", .network, Origin.unreachable),
        ]
    }

    @Test(arguments: failures.indices)
    func invalidImagesAreNeverStored(index: Int) async throws {
        let (name, kind, response) = Self.failures[index]
        let origin = Origin(response)
        let error = await #expect(throws: ImageError.self, "\(name)") {
            try await origin.load {
                $0.thumbnail = .fit(6, 6)
                $0.deliversPreviews = true
            }
        }
        #expect(error?.kind == kind, "\(name): \(String(describing: error))")
        await origin.manager.waitForStores()
        #expect(origin.box.images.keys.isEmpty && origin.box.data.keys.isEmpty, "\(name)")
    }

    // A broken image that replaces an intact one is a change like any other.
    @Test(arguments: failures.indices.filter { failures[$0].1 != .incomplete })
    func invalidImageRemovesNoStoredEntry(index: Int) async throws {
        let (name, _, response) = Self.failures[index]
        let origin = Origin(Origin.picture("no-cache"), response)
        _ = try await origin.load()
        await #expect(throws: ImageError.self, "\(name)") { try await origin.load() }
        #expect(try await origin.load { $0.cacheUse = .cacheOnly }.image.bitmap == Darkbox.bitmap, "\(name)")
        await origin.manager.waitForStores()
        let restarted = origin.restarted()
        let context = ImageContext { $0.cacheUse = .cacheOnly }
        #expect(try await restarted.load(Darkbox.url, context: context).origin == .disk, "\(name)")
    }

    @Test(arguments: [201, 206, 300, 404, 500])
    func imageWithAnotherStatusIsDeliveredButNotStored(status: Int) async throws {
        let headers = ["etag": "\"1\"", "content-range": "bytes 0-\(Self.count - 1)/\(Self.count)"]
        let origin = Origin(Origin.picture("max-age=60", status: status, headers))
        for count in 1...2 {
            #expect(try await origin.load { $0.thumbnail = .fit(6, 6) }.image.size == PixelSize(6, 4))
            #expect(origin.requests.count == count)
        }
        await origin.manager.waitForStores()
        #expect(origin.box.images.keys.isEmpty && origin.box.data.keys.isEmpty)
    }

    @Test func imageWithAnotherStatusRemovesNoStoredEntry() async throws {
        let notFound = LoadResponse.Body.data(PlainCoder.file(of: Bitmap(3, 2) { _, _ in .white }))
        let origin = Origin(Origin.picture("no-cache"), Origin.picture("no-store", notFound, status: 404))
        _ = try await origin.load()
        let shown = try await origin.load()
        #expect(shown.image.size == PixelSize(3, 2) && shown.encodedData != nil)
        #expect(try await origin.load { $0.cacheUse = .cacheOnly }.image.bitmap == Darkbox.bitmap)
    }

    @Test func previewsAreNeverStored() async throws {
        let gate = Gate()
        let origin = Origin { _ in
            let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
            stream.yield(Darkbox.file.prefix(125))
            Task {
                await gate.wait()
                stream.finish(throwing: ImageError(.network, .load, "broken"))
            }
            return Origin.response("max-age=60", .chunks(chunks))
        }
        var previewCount = 0
        await #expect(throws: ImageError.self) {
            for try await event in origin.manager.events(
                for: Darkbox.url, context: ImageContext { $0.deliversPreviews = true })
            {
                guard case .preview = event else { continue }
                previewCount += 1
                gate.open()
            }
        }
        #expect(previewCount > 0)
        await origin.manager.waitForStores()
        #expect(origin.box.images.keys.isEmpty && origin.box.data.keys.isEmpty)
    }

    @Test func unstorableResponseRemovesOldEntries() async throws {
        for body in [LoadResponse.Body.notModified, .data(Darkbox.file)] {
            let origin = Origin(Origin.picture("max-age=0"), Origin.picture("no-store", body))
            _ = try await origin.load {
                $0.thumbnail = .fit(6, 6)
                $0.waitsForStore = true
            }
            #expect(try await origin.load { $0.thumbnail = .fit(6, 6) }.image.size == PixelSize(6, 4))
            await origin.manager.waitForStores()
            #expect(origin.box.images.keys.isEmpty && origin.box.data.keys.isEmpty)
        }
    }
}
