@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// A loader with rules of its own, as that of a third party may have: no errors, no HTML, and HTML is remembered.
private struct StrictLoader: ImageLoader {
    let base: FakeLoader

    func canLoad(_ url: URL) -> Bool { true }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        try outcome(of: try await base.load(request), for: request)
    }

    func accepted(_ response: LoadResponse, for request: LoadRequest) throws(ImageError) -> LoadResponse {
        guard let metadata = response.metadata else { return response }
        guard metadata.status < 400 else { throw ImageError(.status, .load, "an error", response: metadata) }
        guard metadata.headers["content-type"] != "text/html" else {
            throw ImageError(.contentType, .load, "a page", response: metadata)
        }
        return response
    }

    func remembers(_ error: ImageError) -> Bool { error.kind == .contentType }
}

/// A modified response is judged with the rules of its loader, like a received one.
@Suite(.bounded)
struct ModifiedResponseTests {
    private static let request = LoadRequest(url: Darkbox.url)
    private let clock = ManualClock()
    private let data = FakeDataCache()

    private static func response(_ status: Int, _ headers: [String: String] = [:]) -> LoadResponse {
        LoadResponse(
            .data(Darkbox.file), metadata: ResponseMetadata(url: Darkbox.url, status: status, headers: headers))
    }

    /// Returns a modifier that sets these statuses, one for each response; afterwards it changes nothing.
    private static func setting(_ statuses: Int...) -> ResponseModifier {
        let seen = Recorder<Int>()
        return { response, _ in
            seen.note(response.metadata?.status ?? 0)
            if seen.values.count <= statuses.count { response.metadata?.status = statuses[seen.values.count - 1] }
        }
    }

    /// An origin whose image is fresh for ten seconds and may be shown for another ten minutes after an error.
    private static func origin(status: Int = 200) -> FakeOrigin {
        let headers = ["cache-control": "max-age=10, stale-if-error=600", "etag": "\"1\""]
        var response = FakeOrigin.Response(Darkbox.file, headers: headers)
        response.status = status
        return FakeOrigin(response)
    }

    private func manager(_ loader: any ImageLoader) throws -> ImageManager {
        try ImageManager { [clock, data] in
            $0.install(loader)
            $0.install(PlainCoder())
            $0.dataCache = data
            $0.now = { clock.date }
        }
    }

    private func context(_ modify: @escaping ResponseModifier) -> ImageContext {
        ImageContext {
            $0.responseModifier = modify
            $0.waitsForStore = true
        }
    }

    private func failure(_ body: () async throws -> Void) async throws -> ImageError {
        try await #require(throws: ImageError.self) { try await body() }
    }

    @Test(arguments: [404, 500, 302, 304]) func statusThatIsNotAcceptedFailsTheLoad(status: Int) async throws {
        let wrapped = try await failure {
            _ = try await Self.origin().modifyingResponses(Self.setting(status)).load(Self.request)
        }
        let given = try await failure {
            _ = try await manager(Self.origin()).load(Darkbox.url, context: context(Self.setting(status)))
        }
        for error in [wrapped, given] {
            #expect(error.kind == .status && error.stage == .load && error.response?.status == status)
        }
        #expect(data.keys.isEmpty)
    }

    @Test func acceptedStatusInPlaceOfARejectedOneSucceeds() async throws {
        let loader = Self.origin(status: 404).modifyingResponses(headers: ["X-Found": "1"])
        #expect(try await loader.load(Self.request).metadata?.headers["x-found"] == "1")
        let (origin, context) = (Self.origin(status: 404), context(Self.setting(200)))
        #expect(try await manager(origin).load(Darkbox.url, context: context).image.bitmap == Darkbox.bitmap)
        // It is stored like a received 200.
        #expect(try await manager(origin).load(Darkbox.url).origin == .disk && origin.requests.count == 1)
    }

    @Test func rejectedResponseThatStaysTheSameFailsAsIfReceived() async throws {
        let received = try await failure { _ = try await Self.origin(status: 404).load(Self.request) }
        let unchanged = try await failure {
            _ = try await Self.origin(status: 404).modifyingResponses(Self.setting()).load(Self.request)
        }
        #expect(unchanged.message == received.message && unchanged.response == received.response)
    }

    @Test(arguments: [(200, [410, 200], true), (404, [200, 410], false), (404, [200, 200], true)])
    func onlyTheLastOfSeveralModifiersIsJudged(received: Int, statuses: [Int], isAccepted: Bool) async throws {
        let loader = Self.origin(status: received).limited(to: 1).modifyingResponses(Self.setting(statuses[0]))
            .modifyingResponses(Self.setting(statuses[1]))
        #expect(((try? await loader.load(Self.request)) != nil) == isAccepted)
    }

    @Test func rejectedTransferReleasesItsSlot() async throws {
        let limited = Self.origin(status: 404).limited(to: 1)
        for _ in 0..<3 {
            _ = try await failure {
                _ = try await limited.modifyingResponses(Self.setting()).load(Self.request)
            }
        }
        #expect(limited.runningTransferCount == 0)
    }

    @Test func modifiedFailureIsRetried() async throws {
        let origin = Self.origin()
        let clock = ManualClock(skipsSleeps: true)
        _ = try await origin.modifyingResponses(Self.setting(503, 503)).retrying(on: clock).load(Self.request)
        #expect(origin.requests.count == 3)
        // Modifiers of a context replace those inside of the retries.
        let loader = origin.modifyingResponses(Self.setting(404)).limited(to: 1).retrying(on: clock)
        _ = try await manager(loader).load(Darkbox.url, context: context(Self.setting(503, 503)))
        #expect(origin.requests.count == 6)
    }

    @Test func retriesInsideAModifierSeeTheReceivedResponse() async throws {
        let (origin, retries) = (Self.origin(status: 503), Recorder<Int>())
        var request = Self.request
        request.report = { if case .retries(_, let error) = $0 { retries.note(error.response?.status ?? 0) } }
        let loader = origin.retrying(on: ManualClock(skipsSleeps: true)).modifyingResponses(Self.setting(200))
        #expect(try await loader.load(request).metadata?.status == 200)
        #expect(origin.requests.count == 3 && retries.values == [503, 503])
    }

    @Test func staleImageIsShownAfterAModifiedServerError() async throws {
        let origin = Self.origin()
        let manager = try manager(origin)
        _ = try await manager.load(Darkbox.url, context: context { _, _ in })
        clock.advance(by: .seconds(60))
        // The origin confirms the image with a 304, which becomes a 503.
        let result = try await manager.load(Darkbox.url, context: context(Self.setting(503)))
        #expect(result.isStale && result.report.decision == .staleOnError(.status))
        clock.advance(by: .seconds(600))
        let error = try await failure { _ = try await manager.load(Darkbox.url, context: context(Self.setting(503))) }
        #expect(error.response?.status == 503 && origin.requests.count == 3)
    }

    @Test func modifiedConfirmationStaysOneUnlessItsStatusIsRejected() async throws {
        var request = Self.request
        request.stored = ResponseMetadata(url: Darkbox.url, status: 200, headers: ["etag": "\"1\""])
        let response = try await Self.origin().modifyingResponses(headers: ["a": "b"]).load(request)
        guard case .notModified = response.body else { throw ImageError(.internal, .load, "no confirmation") }
        let error = try await failure { [request] in
            _ = try await Self.origin().modifyingResponses(status: 404).load(request)
        }
        #expect(error.kind == .status && error.response?.status == 404)
    }

    @Test func responseThatBecomesA304ConfirmsTheStoredOne() async throws {
        var request = Self.request
        request.stored = ResponseMetadata(url: Darkbox.url, status: 200, headers: ["etag": "\"other\""])
        let response = try await Self.origin().modifyingResponses(status: 304).load(request)
        guard case .notModified = response.body else { throw ImageError(.internal, .load, "no confirmation") }
    }

    @Test func rulesOfAThirdPartyApply() async throws {
        let html = ["Content-Type": "text/html"]
        let image = StrictLoader(base: FakeLoader { _ in Self.response(200) })
        let error = try await failure { _ = try await image.modifyingResponses(headers: html).load(Self.request) }
        #expect(error.kind == .contentType)
        let page = StrictLoader(base: FakeLoader { _ in Self.response(200, ["content-type": "text/html"]) })
        #expect(throws: Never.self) { try page.accepted(Self.response(302), for: Self.request) }
        _ = try await page.modifyingResponses(headers: ["Content-Type": "image/png"]).load(Self.request)
    }

    @Test func modifiedFailureIsRememberedIfTheLoaderRemembersIt() async throws {
        let base = FakeLoader { _ in Self.response(200) }
        let loader = StrictLoader(base: base).modifyingResponses(headers: ["Content-Type": "text/html"])
        let manager = try manager(loader)
        let first = try await failure { _ = try await manager.load(Darkbox.url) }
        let second = try await failure { _ = try await manager.load(Darkbox.url) }
        #expect(first.kind == .contentType && second.kind == .refused && base.requests.count == 1)
        #expect((second.underlying as? ImageError)?.kind == .contentType)
    }

    @Test func rejectedResponseIsNotDecrypted() async throws {
        let decrypted = Recorder<Int>()
        let decryptor = Decryptor { data, metadata in
            decrypted.note(metadata?.status ?? 0)
            return data
        }
        let inside = Self.origin(status: 404).decrypting(decryptor).modifyingResponses(Self.setting(200))
        _ = try await inside.load(Self.request)
        #expect(decrypted.values.isEmpty)
        _ = try await Self.origin(status: 404).modifyingResponses(Self.setting(200)).decrypting(decryptor)
            .load(Self.request)
        _ = try await manager(Self.origin(status: 404).decrypting(decryptor))
            .load(Darkbox.url, context: context(Self.setting(200)))
        #expect(decrypted.values == [200, 200])
    }
}
