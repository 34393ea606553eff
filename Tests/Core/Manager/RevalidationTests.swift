@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct RevalidationTests {
    private static let newBitmap = Bitmap(12, 8) { _, _ in .white }
    private let small = ImageContext {
        $0.thumbnail = .fit(6, 6)
        $0.waitsForStore = true
    }

    private static func response(_ body: LoadResponse.Body, cacheControl: String) -> LoadResponse {
        LoadResponse(
            body,
            metadata: ResponseMetadata(
                url: Darkbox.url, status: 200, headers: ["cache-control": cacheControl, "etag": "\"1\""]))
    }

    /// Returns an origin whose images expire at once, and whose later responses are `later`.
    private func box(_ later: LoadResponse.Body, cacheControl: String = "max-age=0") -> Darkbox {
        let asked = Recorder<Bool>()
        return Darkbox(
            FakeLoader { _ in
                defer { asked.note(true) }
                guard asked.values.isEmpty else { return Self.response(later, cacheControl: "max-age=60") }
                return Self.response(.data(Darkbox.file), cacheControl: cacheControl)
            })
    }

    @Test func unchangedImageIsNotTransferredAgain() async throws {
        let box = box(.notModified)
        let first = try await box.manager.load(Darkbox.url, context: small)
        let second = try await box.manager.load(Darkbox.url, context: small)
        #expect(second.origin == .memory)
        #expect(second.image.bitmap == first.image.bitmap)
        #expect(box.loader.requests.map { $0.stored?.headers["etag"] } == [nil, "\"1\""])
        // The 304 made it fresh again, in memory and for the result on disk.
        #expect(try await box.manager.load(Darkbox.url, context: small).origin == .memory)
        #expect(try await box.restarted().load(Darkbox.url, context: small).origin == .disk)
        #expect(box.loader.requests.count == 2)
    }

    @Test func changedBytesRemoveAllVariants() async throws {
        let box = box(.data(PlainCoder.file(of: Self.newBitmap)))
        _ = try await box.manager.load(Darkbox.url, context: small)
        _ = try await box.restarted().load(Darkbox.url, context: ImageContext { $0.cacheUse = .cacheOnly })
        let whole = try await box.manager.load(Darkbox.url)
        #expect(whole.image.bitmap == Self.newBitmap)
        let thumbnail = try await box.manager.load(Darkbox.url, context: small)
        #expect(thumbnail.origin == .original)
        #expect(thumbnail.image.bitmap.color(x: 0, y: 0) == .white)
        #expect(box.loader.requests.count == 2)
    }

    @Test func identicalBytesKeepAllVariants() async throws {
        let box = box(.data(Darkbox.file))
        _ = try await box.manager.load(Darkbox.url, context: small)
        #expect(try await box.manager.load(Darkbox.url, context: small).origin == .memory)
        #expect(box.loader.requests.count == 2)
    }

    @Test func refreshRevalidatesAFreshImage() async throws {
        let box = box(.notModified, cacheControl: "max-age=60")
        _ = try await box.manager.load(Darkbox.url, context: small)
        var refresh = small
        refresh.cacheUse = .refresh
        #expect(try await box.manager.load(Darkbox.url, context: refresh).origin == .memory)
        #expect(box.loader.requests.count == 2)
    }

    private func offline(_ cacheControl: String) -> Darkbox {
        let asked = Recorder<Bool>()
        return Darkbox(
            FakeLoader { _ in
                defer { asked.note(true) }
                guard asked.values.isEmpty else { throw ImageError(.network, .load, "unreachable") }
                return Self.response(.data(Darkbox.file), cacheControl: cacheControl)
            })
    }

    @Test func staleImageIsUsedOffline() async throws {
        let box = offline("max-age=0")
        _ = try await box.manager.load(Darkbox.url, context: small)
        for manager in [box.manager, box.restarted()] {
            let result = try await manager.load(Darkbox.url, context: small)
            #expect(result.isStale)
            #expect(result.image.size == PixelSize(6, 4))
        }
        let original = try #require(box.manager.key(for: Darkbox.url))
        try await box.data.remove(original)
        #expect(try await box.restarted().load(Darkbox.url, context: small).isStale)
        try await box.data.removeAll()
        let fromMemory = try await box.manager.load(Darkbox.url, context: small)
        #expect(fromMemory.isStale && fromMemory.origin == .memory)
    }

    @Test func mustRevalidateForbidsStaleImages() async throws {
        let box = offline("max-age=0, must-revalidate")
        _ = try await box.manager.load(Darkbox.url, context: small)
        for manager in [box.manager, box.restarted()] {
            await #expect(throws: ImageError.self) { try await manager.load(Darkbox.url, context: small) }
        }
    }

    @Test func unstorableResponsesAreNotStored() async throws {
        let box = Darkbox(FakeLoader { _ in Self.response(.data(Darkbox.file), cacheControl: "no-store") })
        for _ in 0..<2 { #expect(try await box.manager.load(Darkbox.url, context: small).origin == .network) }
        #expect(box.images.keys.isEmpty && box.data.keys.isEmpty)
    }

    @Test func cacheOnlyNeverRevalidates() async throws {
        let box = box(.notModified)
        _ = try await box.manager.load(Darkbox.url, context: small)
        var cacheOnly = small
        cacheOnly.cacheUse = .cacheOnly
        #expect(try await box.manager.load(Darkbox.url, context: cacheOnly).origin == .memory)
        #expect(try await box.restarted().load(Darkbox.url, context: cacheOnly).origin == .disk)
        #expect(box.loader.requests.count == 1)
    }
}
