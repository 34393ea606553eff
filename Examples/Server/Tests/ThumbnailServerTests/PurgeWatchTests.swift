import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import Testing

@testable import ThumbnailServer

/// Removals by another program from the cache folder of a running server.
@Suite(.bounded, .bug(id: "Fix images that a purge leaves in the memory of a server"))
struct PurgeWatchTests {
    private static let path = "/insecure/thumbnail:2x2/https%3A%2F%2Fexample.com%2FNAME.png"

    @Test(arguments: [true, false])
    func purgeFromDiskReachesMemory(removesAll: Bool) async throws {
        let folder = try TemporaryDirectory()
        let image = try Data(contentsOf: fixtureFolder.appending(path: "png-3x5.png"))
        let (memory, disk) = (MemoryDataCache(byteLimit: 1 << 20), try DiskDataCache(directory: folder.url))
        let manager = try ImageManager {
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
            $0.defaults.waitsForStore = true
        }
        let watch = PurgeWatch(disk: disk) { try? await memory.removeAll(ofSource: $0) }
        var settings = ThumbnailSettings()
        settings.allowsInsecure = true
        let routes = try ThumbnailRoutes(manager, memory: memory, purges: watch, settings: settings)
        var requests: [RecognizedRequest] = []
        for name in ["a", "b"] {
            let path = Self.path.replacing("NAME", with: name)
            let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
            let request = RecognizedRequest(head: head, thumbnail: try routes.thumbnailRequest(for: head))
            await watch.follow(try #require(request.thumbnail.cachedSource))
            _ = try await manager.encoded(request.thumbnail.image)
            requests.append(request)
        }
        func areInMemory() -> [Bool] { requests.map { routes.replyFromMemory(to: $0) != nil } }
        #expect(areInMemory() == [true, true])
        // It cannot be told from a removal that the loads have started generations.
        await watch.check()
        for request in requests { _ = try await manager.encoded(request.thumbnail.image) }
        #expect(areInMemory() == [true, true])
        await watch.check()
        #expect(areInMemory() == [true, true], "nothing was removed")
        // As another process would.
        let other = try DiskDataCache(directory: folder.url)
        let source = try #require(requests[0].thumbnail.image.key?.source)
        if removesAll { try await other.removeAll() } else { try await other.removeAll(ofSource: source) }
        await watch.check()
        #expect(areInMemory() == [false, !removesAll])
        for _ in 0..<2 {
            _ = try await manager.encoded(requests[0].thumbnail.image)
            #expect(areInMemory()[0])
            await watch.check()
        }
        #expect(areInMemory()[0], "it was stored after the removal")
    }
}
