import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import ThumbnailServer

/// Removals by another program from the cache folder of a running server.
@Suite(.bounded, .bug(id: "Fix images that a purge leaves in the memory of a server"))
struct PurgeWatchTests {
    /// A server whose disk cache is watched.
    private struct WatchedServer: Sendable {
        let folder: TemporaryDirectory
        let manager: ImageManager
        let watch: PurgeWatch
        let routes: ThumbnailRoutes

        /// Creates a server whose watch has `ticketByteLimit` bytes for generations, enough for 13 of these sources. Other
        /// servers may have the same `shared` cache.
        init(
            ticketByteLimit: Int = 2048, clientLimit: RateLimit? = nil, shared: (any DataCache)? = nil
        ) throws {
            let folder = try TemporaryDirectory()
            self.folder = folder
            let image = try Data(contentsOf: fixtureFolder.appending(path: "png-3x5.png"))
            let (memory, disk) = (MemoryDataCache(byteLimit: 1 << 20), try DiskDataCache(directory: folder.url))
            manager = try ImageManager {
                $0.install(StandardPlugins())
                $0.loaders = [
                    FakeLoader { request in
                        let fields = ["cache-control": "max-age=1000"]
                        return LoadResponse(
                            .data(image), metadata: ResponseMetadata(url: request.url, status: 200, headers: fields))
                    }
                ]
                $0.dataCache = TieredDataCache([memory, disk], policies: .inclusive)
                $0.originalCache = disk
                $0.shared = shared.map { SharedCaching($0) }
                $0.defaults.waitsForStore = true
            }
            watch = PurgeWatch(disk: disk, ticketByteLimit: ticketByteLimit) {
                memory.removeAll(ofSource: $0, at: $1)
            }
            var settings = ThumbnailSettings()
            settings.allowsInsecure = true
            settings.clientLimit = clientLimit
            routes = try ThumbnailRoutes(manager, memory: memory, purges: watch, settings: settings)
        }

        static func path(_ name: String, side: Int = 2) -> String {
            "/insecure/thumbnail:\(side)x\(side)/https%3A%2F%2Fexample.com%2F\(name).png"
        }

        func request(_ name: String, side: Int = 2) throws -> RecognizedRequest {
            let path = Self.path(name, side: side)
            let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
            return RecognizedRequest(head: head, thumbnail: try routes.thumbnailRequest(for: head))
        }

        /// Loads an image, as a request without a hit in memory does, and returns its origin.
        @discardableResult
        func load(_ request: RecognizedRequest) async throws -> LoadResult.Origin {
            await watch.follow(try #require(request.thumbnail.cachedSource))
            return try await manager.encoded(request.thumbnail.image).origin
        }

        /// Returns whether a request is served from memory.
        func isInMemory(_ request: RecognizedRequest) -> Bool { routes.replyFromMemory(to: request) != nil }

        /// Loads an image until it stays in memory. It cannot be told from a removal that a load has started a generation.
        func loadAndKeep(_ request: RecognizedRequest) async throws {
            for _ in 0..<2 {
                try await load(request)
                #expect(isInMemory(request))
                await watch.check()
            }
            #expect(isInMemory(request), "nothing was removed")
        }

        /// Removes the source of `request` from the disk cache, or all of them, as another process would.
        func purge(_ request: RecognizedRequest, removesAll: Bool = false) async throws {
            let other = try DiskDataCache(directory: folder.url)
            let source = try #require(request.thumbnail.image.key?.source)
            if removesAll { try await other.removeAll() } else { try await other.removeAll(ofSource: source) }
        }
    }

    @Test(arguments: [true, false])
    func purgeFromDiskReachesMemory(removesAll: Bool) async throws {
        let server = try WatchedServer()
        defer { withExtendedLifetime(server.folder) {} }
        let requests = [try server.request("a"), try server.request("b")]
        for request in requests { try await server.loadAndKeep(request) }
        #expect(requests.map(server.isInMemory) == [true, true])
        try await server.purge(requests[0], removesAll: removesAll)
        await server.watch.check()
        #expect(requests.map(server.isInMemory) == [false, !removesAll])
        for _ in 0..<2 {
            try await server.load(requests[0])
            #expect(server.isInMemory(requests[0]))
            await server.watch.check()
        }
        #expect(server.isInMemory(requests[0]), "it was stored after the removal")
    }

    /// With `isFollowed`, another request follows the source before the watch checks it.
    @Test(
        .bug(id: "Fix purges that a server misses for sources whose generation it has forgotten"),
        arguments: [false, true])
    func purgeReachesMemoryOfAForgottenSource(isFollowed: Bool) async throws {
        let server = try WatchedServer()
        defer { withExtendedLifetime(server.folder) {} }
        let request = try server.request("a")
        try await server.loadAndKeep(request)
        for number in 0..<64 { await server.watch.follow(.init("https://example.com/\(number).png")) }
        try await server.purge(request)
        #expect(server.isInMemory(request))
        if isFollowed { await server.watch.follow(try #require(request.thumbnail.cachedSource)) }
        await server.watch.check()
        #expect(!server.isInMemory(request))
    }

    /// A shared image may be older than the first request here, and than the removals of the watch.
    @Test func resultsOfOtherServersAreUsed() async throws {
        let shared = FakeDataCache()
        let servers = [try WatchedServer(shared: shared), try WatchedServer(shared: shared)]
        defer { withExtendedLifetime(servers.map(\.folder)) {} }
        for side in 1...3 { try await servers[0].load(try servers[0].request("a", side: side)) }
        for side in 1...3 {
            let origin = try await servers[1].load(try servers[1].request("a", side: side))
            #expect(origin == .sharedCache, "\(side)")
            await servers[1].watch.check()
        }
    }

    @Test(.bug(id: "Fix purges that a server misses for sources whose generation it has forgotten"))
    func refusedRequestsDisplaceNoGenerations() async throws {
        let server = try WatchedServer(clientLimit: RateLimit(perSecond: 0.001, burst: 1))
        defer { withExtendedLifetime(server.folder) {} }
        let router = Router(context: ThumbnailContext.self)
        server.routes.add(to: router)
        try await Application(router: router).test(.ahc(.http)) { client in
            func status(_ name: String) async throws -> HTTPResponse.Status {
                try await client.execute(uri: WatchedServer.path(name), method: .get).status
            }
            func sendAndCheck() async throws {
                #expect(try await status("a") == .ok)
                await server.watch.check()
            }
            for _ in 0..<2 { try await sendAndCheck() }
            for number in 0..<64 {
                let refusal = try await status("\(number)")
                #expect(refusal == .tooManyRequests)
            }
            try await sendAndCheck()
            #expect(server.isInMemory(try server.request("a")), "its generation is known")
        }
    }

    @Test(.bug(id: "Fix requests that are taken for canonically equivalent ones"))
    func equivalentSourcesAreWatchedOneByOne() async throws {
        let (disk, removed) = (FakeDataCache(), Recorder<String>())
        let watch = PurgeWatch(disk: disk) { source, _ in removed.note(source) }
        let (composed, decomposed) = ("https://example.com/\u{E9}", "https://example.com/e\u{301}")
        let sources = [PurgeWatch.Source(composed), PurgeWatch.Source(decomposed)]
        for source in sources { await watch.follow(source) }
        await watch.check()
        let count = removed.values.count
        for source in sources { watch.note(source) }
        try await disk.removeAll(ofSource: decomposed)
        await watch.check()
        #expect(removed.values.dropFirst(count).map { Array($0.utf8) } == [Array(decomposed.utf8)])
    }
}
