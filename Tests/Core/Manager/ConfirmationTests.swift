@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct ConfirmationTests {
    @Test func notModifiedForAnotherResponseIsRetriedWithoutValidators() async throws {
        let other = PlainCoder.file(of: Bitmap(12, 8) { _, _ in .white })
        let origin = Origin(
            Origin.picture("max-age=0"), Origin.picture("max-age=60", .notModified, ["etag": "\"2\""]),
            Origin.picture("max-age=60", .data(other), ["etag": "\"2\""]))
        _ = try await origin.load()
        #expect(try await origin.load().image.bitmap.color(x: 0, y: 0) == .white)
        #expect(origin.requests.map { $0.stored?.headers["etag"] } == [nil, "\"1\"", nil])
    }

    @Test func confirmedImageIsNotDecodedAgain() async throws {
        let decodes = Recorder<Int>()
        let origin = Origin(
            Origin.picture("max-age=0"), Origin.picture("max-age=60", .notModified),
            willDecode: { _ in decodes.note(1) })
        _ = try await origin.load()
        let confirmed = try await origin.load()
        #expect(confirmed.origin == .memory && !confirmed.isStale)
        #expect(decodes.values.count == 1)
        #expect(try await origin.load().origin == .memory)
        #expect(origin.requests.count == 2)
    }

    @Test func eachConfirmationRenewsTheLifetime() async throws {
        let origin = Origin(
            Origin.picture("max-age=10"), Origin.picture("max-age=100", .notModified, ["etag": "\"1\"", "age": "50"]))
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(10))
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(49))
        await origin.manager.waitForStores()
        #expect(try await origin.restarted().load(Darkbox.url).origin == .disk)
        #expect(origin.requests.count == 2)
        origin.clock.advance(by: .seconds(1))
        _ = try await origin.load()
        #expect(origin.requests.count == 3)
    }

    @Test func unsolicitedNotModifiedIsAnError() async throws {
        let origin = Origin(Origin.picture("max-age=60", .notModified))
        let error = await #expect(throws: ImageError.self) { try await origin.load() }
        #expect(error?.kind == .internal)
    }
}
