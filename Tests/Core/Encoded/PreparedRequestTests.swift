@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A loader that records its decisions, and permits entries fetched from one host.
private struct JudgingLoader: ImageLoader {
    let base: FakeLoader
    let decisions: Recorder<String>
    let host: String

    var restrictsAccess: Bool { true }

    func canLoad(_ url: URL) -> Bool { true }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        var response = try await base.load(request)
        response.route = Self.route(to: host)
        return response
    }

    func check(_ request: LoadRequest) throws(ImageError) { decisions.note("check") }

    func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool {
        decisions.note("permits")
        return route == Self.route(to: host)
    }

    static func route(to host: String) -> SourceRoute {
        SourceRoute([.init(url: URL(string: "http://\(host)/")!, address: nil)])
    }
}

/// A loader of a local source with this version.
private struct VersionedLoader: LoaderWrapper {
    let base: FakeLoader
    let version: @Sendable () -> String

    func localVersion(of url: URL) -> LocalVersion? { LocalVersion(reading: version) }
}

/// A loader that sends a credential, for as long as it has one.
private struct SecretiveLoader: ImageLoader {
    let base: FakeLoader
    let secret: @Sendable () -> String?

    func canLoad(_ url: URL) -> Bool { true }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        var response = try await base.load(request)
        let names = Set(requestFields(for: request).keys)
        response.route = SourceRoute([.init(url: request.url, credentials: names)])
        return response
    }

    func requestFields(for request: LoadRequest) -> [String: String] {
        secret().map { ["authorization": $0] } ?? [:]
    }
}

@Suite(.bounded)
struct PreparedRequestTests {
    private let context = ImageContext {
        $0.thumbnail = .fit(6, 6)
        $0.encodedFormat = .only(.plain)
        $0.waitsForStore = true
    }

    @Test func decisionsOfTheLoaderAreRememberedForEachRoute() async throws {
        let (decisions, cache) = (Recorder<String>(), InstantDataCache())
        let manager = try ImageManager {
            $0.install(JudgingLoader(base: FakeLoader(Darkbox.file), decisions: decisions, host: "a"))
            $0.install(PlainCoder())
            $0.dataCache = cache
        }
        let request = manager.prepare(Darkbox.url, context: context)
        let made = try await manager.encoded(request)
        let count = decisions.values.count
        #expect(manager.encodedInMemory(request)?.data == made.data)
        #expect(manager.encodedInMemory(request)?.data == made.data)
        #expect(decisions.values.count <= count + 2, "one check and one permission at most")

        let key = try #require(made.key)
        var entry = try #require(try await cache.entry(for: key))
        entry.metadata.original?.route = JudgingLoader.route(to: "b")
        try await cache.store(entry, for: key)
        #expect(manager.encodedInMemory(request) == nil, "another route is not permitted by a decision on the first")
    }

    @Test func credentialThatTheLoaderNoLongerSendsGivesNoAccess() async throws {
        let secret = Mutex<String?>("*")
        let manager = try ImageManager {
            $0.install(SecretiveLoader(base: FakeLoader(Darkbox.file)) { secret.withLock(\.self) })
            $0.install(PlainCoder())
            $0.dataCache = InstantDataCache()
        }
        let request = manager.prepare(Darkbox.url, context: context)
        _ = try await manager.encoded(request)
        #expect(manager.encodedInMemory(request) != nil)
        secret.withLock { $0 = nil }
        #expect(manager.encodedInMemory(request) == nil)
    }

    /// A server sends an image more often than its file needs to be checked.
    @Test func localVersionIsReadOnceInEachInterval() async throws {
        let (clock, reads) = (ManualClock(), Recorder<Int>())
        let version = Mutex("1")
        let loader = FakeLoader(Darkbox.file)
        let versioned = VersionedLoader(base: loader) {
            reads.note(1)
            return version.withLock(\.self)
        }
        let manager = try ImageManager {
            $0.install(versioned)
            $0.install(PlainCoder())
            $0.dataCache = InstantDataCache()
            $0.now = { clock.date }
        }
        var context = context
        context.localCheckInterval = .seconds(1)
        let request = manager.prepare(Darkbox.url, context: context)
        _ = try await manager.encoded(request)
        #expect(manager.encodedInMemory(request)?.report.decision == .local)
        let count = reads.values.count
        for _ in 0..<3 { #expect(manager.encodedInMemory(request)?.report.decision == .local) }
        #expect(reads.values.count == count)
        version.withLock { $0 = "2" }
        clock.advance(by: .seconds(1))
        #expect(manager.encodedInMemory(request) == nil, "the file has changed, and is checked again")
        _ = try await manager.encoded(request)
        #expect(manager.encodedInMemory(request)?.report.decision == .local && loader.requests.count == 2)
        clock.advance(by: .seconds(-5))
        version.withLock { $0 = "3" }
        #expect(manager.encodedInMemory(request) == nil, "the clock was set back")
    }

    @Test func preparedRequestIsTheSameAsItsParts() async throws {
        let box = Darkbox()
        let request = box.manager.prepare(Darkbox.url, context: context)
        let (one, other) = (
            try await box.manager.encoded(request), try await box.manager.encoded(Darkbox.url, context: context)
        )
        #expect(one.key == other.key && one.data == other.data && other.isCached)
    }
}
