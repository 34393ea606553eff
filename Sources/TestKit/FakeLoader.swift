public import DarkroomCore
public import DarkroomPlatform
import Synchronization

/// A fake loader that returns the responses of a closure and records its requests.
public final class FakeLoader: ImageLoader {
    private let respond: @Sendable (LoadRequest) async throws -> LoadResponse
    private let received = Mutex<[LoadRequest]>([])

    private let version: Mutex<String?>

    /// Creates a loader of every URL, whose responses `respond` returns. A `version` makes its sources local.
    public init(version: String? = nil, respond: @escaping @Sendable (LoadRequest) async throws -> LoadResponse) {
        self.version = Mutex(version)
        self.respond = respond
    }

    /// Creates a loader that returns `data` for every URL.
    public convenience init(_ data: Data, version: String? = nil) {
        self.init(version: version) { _ in LoadResponse(.data(data)) }
    }

    /// Changes the result of `localVersion(of:)`, as a changed file would.
    public func setVersion(_ newVersion: String?) { version.withLock { $0 = newVersion } }

    /// All requests so far. Their contexts have no loader.
    public var requests: [LoadRequest] { received.withLock { $0 } }

    /// Returns once the loader has received a total of `count` requests, including earlier ones.
    public func waitForRequests(_ count: Int) async {
        await StateChanges.wait { [self] in requests.count >= count }
    }

    /// Returns `true` for every URL.
    public func canLoad(_ url: URL) -> Bool { true }

    /// Records the request, and returns the response of the closure.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        var recorded = request
        // That may be this loader, which would retain itself.
        if recorded.context.loader != nil { recorded.context.loader = nil }
        received.withLock { $0.append(recorded) }
        StateChanges.notify()
        return try await respond(request)
    }

    /// Returns the current version.
    public func localVersion(of url: URL) -> LocalVersion? { version.withLock { $0.map(LocalVersion.init) } }
}
