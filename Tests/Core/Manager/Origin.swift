@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport

/// A loader with configurable fields, milestones and remembered failures.
struct OriginLoader: ImageLoader {
    let base: FakeLoader
    var fields: @Sendable (LoadRequest) -> [String: String] = { _ in [:] }
    var remembersAll = false

    func canLoad(_ url: URL) -> Bool { true }
    func load(_ request: LoadRequest) async throws -> LoadResponse { try await base.load(request) }
    func localVersion(of url: URL) -> LocalVersion? { base.localVersion(of: url) }
    func requestFields(for request: LoadRequest) -> [String: String] { fields(request) }
    func remembers(_ error: ImageError) -> Bool { remembersAll }
}

/// An origin with a clock. It returns its responses in order, and then repeats the last one.
struct Origin {
    typealias Response = @Sendable (LoadRequest) async throws -> LoadResponse

    let clock = ManualClock()
    let box: Darkbox

    init(
        _ responses: Response..., then last: Response? = nil,
        fields: @escaping @Sendable (LoadRequest) -> [String: String] = { _ in [:] }, remembersAll: Bool = false,
        defaults: ImageContext = .init(), willDecode: @escaping @Sendable (DecodeRequest) throws -> Void = { _ in }
    ) {
        let responses = responses + [last].compactMap(\.self)
        let count = Mutex(0)
        let loader = FakeLoader { request in
            let index = count.withLock { count in
                defer { count += 1 }
                return min(count, responses.count - 1)
            }
            return try await responses[index](request)
        }
        box = Darkbox(loader) { [clock] in
            $0.now = { clock.date }
            $0.install(OriginLoader(base: loader, fields: fields, remembersAll: remembersAll))
            // By the real clock, on which a busy machine may take minutes.
            $0.failedURLLifetime = nil
            $0.install(PlainCoder(willDecode: willDecode))
            $0.defaults = defaults
        }
    }

    var manager: ImageManager { box.manager }

    var requests: [LoadRequest] { box.loader.requests }

    /// Returns a manager with the same disk cache and clock, as after a restart.
    func restarted() -> ImageManager {
        box.restarted { [clock] in $0.now = { clock.date } }
    }

    /// Loads the image, and waits until it is stored, because a restarted manager, or an expectation, reads the cache.
    func load(_ configure: (inout ImageContext) -> Void = { _ in }) async throws -> LoadResult {
        var context = ImageContext { $0.waitsForStore = true }
        configure(&context)
        return try await manager.load(Darkbox.url, context: context)
    }

    /// Returns a response with the image, or another body.
    static func picture(
        _ cacheControl: String, _ body: LoadResponse.Body = .data(Darkbox.file), status: Int = 200,
        _ headers: [String: String] = ["etag": "\"1\""]
    ) -> Response {
        { _ in response(cacheControl, body, status: status, headers) }
    }

    static func response(
        _ cacheControl: String, _ body: LoadResponse.Body = .data(Darkbox.file), status: Int = 200,
        _ headers: [String: String] = ["etag": "\"1\""]
    ) -> LoadResponse {
        let headers = headers.merging(["cache-control": cacheControl]) { own, _ in own }
        return LoadResponse(body, metadata: ResponseMetadata(url: Darkbox.url, status: status, headers: headers))
    }

    /// Returns a response with an error status.
    static func failure(_ status: Int) -> Response {
        { _ in
            throw ImageError(
                .status, .load, "the origin returned status \(status)",
                response: ResponseMetadata(url: Darkbox.url, status: status))
        }
    }

    /// A failed connection.
    static let unreachable: Response = { _ in throw ImageError(.network, .load, "unreachable") }
}
