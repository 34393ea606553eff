@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct RedirectedLoadTests {
    /// Returns a response after a redirect with `fields`.
    private static func redirected(
        _ fields: [String: String], _ body: LoadResponse.Body = .data(Darkbox.file),
        _ cacheControl: String = "max-age=600, immutable", status: Int = 302
    ) -> Origin.Response {
        { request in
            var response = Origin.response(cacheControl, body)
            response.redirects = [ResponseMetadata(url: request.url, status: status, headers: fields)]
            return response
        }
    }

    @Test func unstorableRedirectPreventsStoring() async throws {
        let origin = Origin(Self.redirected(["cache-control": "no-store"]))
        for count in 1...2 {
            #expect(try await origin.load { $0.thumbnail = .fit(6, 6) }.origin == .network)
            #expect(origin.requests.count == count)
        }
        await origin.manager.waitForStores()
        #expect(origin.box.images.keys.isEmpty && origin.box.data.keys.isEmpty)
    }

    @Test func newlyUnstorableRedirectRemovesOldEntries() async throws {
        for body in [LoadResponse.Body.notModified, .data(Darkbox.file)] {
            let origin = Origin(Origin.picture("max-age=0"), Self.redirected(["cache-control": "no-store"], body))
            for _ in 0..<2 { _ = try await origin.load { $0.waitsForStore = true } }
            #expect(origin.box.images.keys.isEmpty && origin.box.data.keys.isEmpty)
        }
    }

    @Test func imageBehindATemporaryRedirectIsRevalidatedEachTime() async throws {
        let origin = Origin(Self.redirected([:]), Self.redirected([:], .notModified))
        _ = try await origin.load()
        for count in 2...3 {
            let result = try await origin.load()
            #expect(result.report.decision == .revalidated && result.origin == .memory)
            #expect(origin.requests.count == count)
        }
        #expect(origin.requests[1].stored?.headers["etag"] == "\"1\"")
    }

    @Test func imageBehindATemporaryRedirectIsUsedOffline() async throws {
        let origin = Origin(Self.redirected([:]), Origin.unreachable)
        _ = try await origin.load()
        #expect(try await origin.load().isStale)
    }

    @Test func notModifiedUsesItsOwnRedirects() async throws {
        let origin = Origin(
            Self.redirected(["cache-control": "max-age=10"]),
            Self.redirected(["cache-control": "max-age=100"], .notModified))
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(10))
        #expect(try await origin.load().report.decision == .revalidated)
        origin.clock.advance(by: .seconds(99))
        #expect(try await origin.load().report.decision == .fresh(for: .seconds(1)))
        #expect(origin.requests.count == 2)
    }

    @Test func refreshFollowsTheRedirectAgain() async throws {
        for (status, count) in [(302, 2), (301, 1)] {
            let fields = status == 302 ? ["cache-control": "max-age=60"] : [:]
            let origin = Origin(Self.redirected(fields, status: status))
            _ = try await origin.load()
            _ = try await origin.load { $0.cacheUse = .refresh }
            #expect(origin.requests.count == count)
        }
    }

    @Test func modifiedFieldsAreAlsoReplacedInRedirects() async throws {
        let origin = Origin(Self.redirected(["cache-control": "no-store"]))
        let loader = origin.box.loader.modifyingResponses(headers: ["Cache-Control": "max-age=60"])
        let response = try await loader.load(LoadRequest(url: Darkbox.url))
        #expect(response.redirects.map(\.headers) == [["cache-control": "max-age=60"]])
        #expect(response.redirects.map(\.status) == [302])
    }
}
