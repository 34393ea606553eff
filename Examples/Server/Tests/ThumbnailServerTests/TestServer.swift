import Darkroom
import DarkroomTestKit
import Foundation
import Hummingbird
import HummingbirdTesting
import InstalledCoders
import Logging
import NIOCore
import PictureServer
import PrometheusText

@testable import ThumbnailServer

/// The folder of the fixtures that all tests share.
let fixtureFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../Tests/Fixtures")
    .standardizedFileURL

/// A server on the loopback address, with the loaders of a real server.
struct TestServer {
    private let addresses: HTTPLoader.AddressPolicy
    private let folder: URL?
    private let loader: FakeLoader?
    private let settings: ThumbnailSettings
    private let logger: Logger
    private let connections: ConnectionLimits
    /// The connections of the server.
    let registry: ConnectionRegistry
    /// Each closing of a connection arrives here.
    private let closings: Gate

    /// Creates a server that accepts unsigned paths and has the fixtures as samples.
    ///
    /// - Parameters:
    ///   - folder: The folder of its disk cache, which outlives the server; `nil` for a temporary one.
    ///   - loader: A loader that replaces all others.
    ///   - logger: The logger of requests.
    ///   - connections: The limits on connections.
    ///   - configure: Changes the settings.
    init(
        addresses: HTTPLoader.AddressPolicy = .any, folder: URL? = nil, loader: FakeLoader? = nil,
        logger: Logger = Logger(label: "server") { _ in SwiftLogNoOpLogHandler() },
        connections: ConnectionLimits = ConnectionLimits(),
        configure: (inout ThumbnailSettings) -> Void = { _ in }
    ) {
        self.addresses = addresses
        self.folder = folder
        self.loader = loader
        self.logger = logger
        self.connections = connections
        let closings = Gate()
        self.closings = closings
        registry = ConnectionRegistry(connections) { closings.arrive() }
        var settings = ThumbnailSettings()
        settings.allowsInsecure = true
        settings.sources.sampleFolder = fixtureFolder
        configure(&settings)
        self.settings = settings
    }

    /// Returns once the server has at most `count` connections.
    func waitForConnections(atMost count: Int) async {
        var number = closings.arrive()
        while registry.openCount > count {
            await closings.waitForArrivals(number + 1)
            number = closings.arrive()
        }
    }

    /// Runs the server, and `body` with a client of it and the URL of an origin server that serves the fixtures.
    func run(_ body: @escaping @Sendable (any TestClientProtocol, String) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let disk = try DiskDataCache(directory: folder ?? directory.url)
        let memory = MemoryDataCache(byteLimit: settings.memoryByteLimit)
        var http = HTTPLoader.Configuration()
        http.addressPolicy = addresses
        let sources = settings.sources
        http.checkURL = { url in
            guard sources.allows(url) else { throw Problem(.forbidden, "the rules do not allow the URL") }
        }
        let httpLoader = HTTPLoader(http)
        let (formats, workLimit) = (settings.formats, settings.workLimit)
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(InstalledCoders())
            $0.coders.remove { !$0.formats.contains { formats.contains($0) } }
            $0.loaders = loader.map { [$0] } ?? [httpLoader, FileLoader()]
            $0.imageCache = MemoryImageCache()
            $0.dataCache = TieredDataCache([memory, disk], policies: .inclusive)
            $0.originalCache = disk
            $0.encodingLimit = workLimit
            $0.workExecutor = WorkExecutor(name: "thumbnails", width: 2)
            // So that the next request finds the file in the caches.
            $0.defaults.waitsForStore = true
        }
        let routes = try ThumbnailRoutes(manager, memory: memory, settings: settings)
        let router = Router(context: ThumbnailContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SecurityHeaders())
        router.add(middleware: ReadOnly())
        let operations = OperationRoutes(readiness: .init(), registry: PrometheusRegistry()) { routes.sample() }
        operations.add(to: router)
        operations.addMetrics(to: router)
        GalleryRoutes(settings).add(to: router)
        routes.add(to: router)
        let application = Application(
            router: router,
            server: connections.server(
                sendingFromMemoryOf: routes, answering: operations, registry: registry),
            configuration: connections.configuration(.hostname()), logger: logger)
        try await PictureServer(folder: fixtureFolder.path).run { origin in
            try await application.test(.ahc(.http)) { client in try await body(client, origin) }
        }
        await manager.waitForStores()
        await httpLoader.shutdown()
    }
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
