public import DarkroomCore
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A loader that answers what a test tells it, and remembers what it was asked.
public final class FakeLoader: ImageLoader {
    private let answer: @Sendable (LoadRequest) async throws -> LoadResponse
    private let asked = Mutex<[LoadRequest]>([])

    private let version: Mutex<String?>

    /// A loader of every URL that answers with `answer`; a `version` makes its sources local.
    public init(version: String? = nil, answer: @escaping @Sendable (LoadRequest) async throws -> LoadResponse) {
        self.version = Mutex(version)
        self.answer = answer
    }

    /// A loader that brings `data` for every URL.
    public convenience init(_ data: Data, version: String? = nil) {
        self.init(version: version) { _ in LoadResponse(.data(data)) }
    }

    /// Changes what `localVersion(of:)` answers, as a changed file would.
    public func setVersion(_ newVersion: String?) { version.withLock { $0 = newVersion } }

    /// All requests so far, their contexts without a loader of their own.
    public var requests: [LoadRequest] { asked.withLock { $0 } }

    /// Returns when the loader was asked `count` times, now or before.
    public func requests(reach count: Int) async {
        await StateChanges.wait { [self] in requests.count >= count }
    }

    /// True for every URL.
    public func canLoad(_ url: URL) -> Bool { true }

    /// Notes the request, and answers.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        var noted = request
        // That may be this one, which would keep itself alive.
        if noted.context.loader != nil { noted.context.loader = nil }
        asked.withLock { $0.append(noted) }
        StateChanges.notify()
        return try await answer(request)
    }

    /// The version given.
    public func localVersion(of url: URL) -> String? { version.withLock { $0 } }
}
