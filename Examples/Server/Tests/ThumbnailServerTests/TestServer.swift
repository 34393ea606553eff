import Darkroom
import DarkroomTestKit
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import PictureServer
import PrometheusText

@testable import ThumbnailServer

/// The folder of the fixtures that all tests share.
let fixtureFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../Tests/Fixtures")
    .standardizedFileURL

/// Runs `body` with a client of a server on the loopback address, and the URL of an origin that serves the fixtures.
/// `loader` replaces the loaders of a real server. The cache in `folder` outlives the server.
func withServer(
    _ configure: @Sendable (inout ThumbnailSettings) throws -> Void = { _ in },
    addresses: HTTPLoader.AddressPolicy = .any,
    connections: ConnectionLimits = ConnectionLimits(),
    folder shared: URL? = nil,
    loader fake: FakeLoader? = nil,
    _ body: @escaping @Sendable (any TestClientProtocol, String) async throws -> Void
) async throws {
    var settings = ThumbnailSettings()
    settings.allowsInsecure = true
    settings.sources.sampleFolder = fixtureFolder
    try configure(&settings)
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let disk = try DiskDataCache(directory: shared ?? directory.url)
    let memory = MemoryDataCache(byteLimit: settings.memoryByteLimit)
    var http = HTTPLoader.Configuration()
    http.addressPolicy = addresses
    let sources = settings.sources
    http.checkURL = { url in
        guard sources.allows(url) else { throw Problem(.forbidden, "the rules do not allow the URL") }
    }
    let loader = HTTPLoader(http)
    let (formats, workLimit) = (settings.formats, settings.workLimit)
    let manager = try ImageManager {
        $0.install(StandardPlugins())
        $0.coders.remove { !$0.formats.contains { formats.contains($0) } }
        $0.loaders = fake.map { [$0] } ?? [loader, FileLoader()]
        $0.imageCache = MemoryImageCache()
        $0.dataCache = TieredDataCache([memory, disk], policies: .inclusive)
        $0.originalCache = disk
        $0.encodingLimit = workLimit
        $0.workExecutor = WorkExecutor(name: "thumbnails", width: 2)
    }
    let routes = try ThumbnailRoutes(manager, memory: memory, settings: settings)
    let router = Router(context: ThumbnailContext.self)
    router.add(middleware: SecurityHeaders())
    let operations = OperationRoutes(readiness: .init(), registry: PrometheusRegistry()) { routes.sample() }
    operations.add(to: router)
    operations.addMetrics(to: router)
    GalleryRoutes(settings).add(to: router)
    routes.add(to: router)
    let application = Application(
        router: router, server: connections.server, configuration: connections.configuration(.hostname()))
    try await PictureServer(folder: fixtureFolder.path).run { origin in
        try await application.test(.ahc(.http)) { client in try await body(client, origin) }
    }
    await manager.waitForStores()
    await loader.shutdown()
}

extension TestResponse {
    /// The bytes of the body.
    var data: Data { Data(body.readableBytesView) }

    /// Returns the body as a decoded image.
    func image() throws -> Image {
        try CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()]).decode(data)
    }

    /// The body as text.
    var text: String { String(buffer: body) }
}
