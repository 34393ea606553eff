import Darkroom
import DarkroomFleet
import DarkroomIsolation
import DarkroomS3
import Hummingbird
import InstalledCoders
import Logging
import PrometheusText
import ServerPlatform
import ServiceLifecycle
import ThumbnailServer
import Tracing
import UnixSignals

/// The running server, with all of its parts.
struct ThumbnailService {
    /// The time for what has been delivered to be stored, after the last request.
    private static let storeTime = Duration.seconds(10)

    private let settings: ServerSettings
    private let logger: Logger
    private let manager: ImageManager
    private let routes: ThumbnailRoutes
    private let operations: OperationRoutes
    private let readiness = OperationRoutes.Readiness()
    private let tier: SharedTier?
    private let purges: PurgeWatch

    /// Creates a server with `settings` that exports the metrics of `registry`.
    init(_ settings: ServerSettings, registry: PrometheusRegistry, logger: Logger) throws {
        self.settings = settings
        self.logger = logger
        let disk = try DiskDataCache(
            directory: settings.cacheDirectory, byteLimit: settings.cacheByteLimit,
            onFailure: { logger.warning("disk cache failed", metadata: ["error": "\($0.message)"]) })
        let memory = MemoryDataCache(byteLimit: settings.thumbnails.memoryByteLimit)
        let images = settings.imageByteLimit > 0 ? MemoryImageCache(byteLimit: settings.imageByteLimit) : nil
        let observability = LoadObservability(logger: logger)
        let tier = settings.fleet?.makeTier {
            logger.warning("leases or purges failed", metadata: ["error": "\($0.message)"])
        }
        self.tier = tier
        let workers = try settings.isolation.makePool()
        manager = try ImageManager {
            Self.installCoders(&$0)
            var http = HTTPLoader.Configuration()
            http.addressPolicy = settings.addressPolicy
            http.ports = settings.sourcePorts
            http.headers["User-Agent"] = settings.userAgent
            let sources = settings.thumbnails.sources
            http.checkURL = { url in
                guard sources.allows(url) else { throw SourceRefusal() }
            }
            http.firstByteTimeout = .seconds(10)
            http.totalTimeout = .seconds(30)
            http.transferLimit = settings.thumbnails.workLimit.running
            $0.loaders = [HTTPLoader(http), FileLoader()]
            if var objects = settings.objectSources {
                objects.firstByteTimeout = .seconds(10)
                objects.totalTimeout = .seconds(30)
                objects.transferLimit = http.transferLimit
                $0.loaders.append(S3Loader(objects))
            }
            $0.imageCache = images
            $0.dataCache = TieredDataCache([memory, disk], policies: .inclusive)
            $0.originalCache = disk
            $0.encodingLimit = settings.thumbnails.workLimit
            $0.memoryBudget = settings.memoryBudget
            // Part of that budget, too.
            if let workers { $0.isolateCoders(in: workers) }
            $0.defaults.limits = settings.thumbnails.limits
            // Without HEIC, unless the setting names it.
            $0.coders.remove { !$0.formats.contains { settings.thumbnails.formats.contains($0) } }
            $0.install(observability)
            if let tier { $0.install(tier) }
        }
        let (manager, metrics) = (manager, observability.metrics)
        let fleetMetrics = tier.map { FleetMetrics($0) }
        let workerMetrics = workers.map { WorkerMetrics($0) }
        logger.info("memory budget", metadata: ["bytes": "\(settings.memoryBudget.byteLimit)"])
        if let protection = try workers?.protection {
            logger.info("coders are isolated", metadata: ["protection": "\(protection)"])
        }
        let purges = PurgeWatch(disk: disk) { source, moment in
            memory.removeAll(ofSource: source, at: moment)
            images?.removeAll(ofSource: source, at: moment)
        }
        self.purges = purges
        let routes = try ThumbnailRoutes(manager, memory: memory, purges: purges, settings: settings.thumbnails)
        self.routes = routes
        if let tier { readiness.isDegraded = { tier.statistics.isDegraded } }
        operations = OperationRoutes(readiness: readiness, registry: registry) {
            routes.sample()
            fleetMetrics?.sample()
            workerMetrics?.sample()
            await metrics.sample(manager)
        }
    }

    /// Installs the coders, in the server and in its workers.
    static func installCoders(_ components: inout ImageManager.Components) {
        components.install(StandardPlugins())
        components.install(InstalledCoders(readsHEIC: true, readsAllPages: false))
    }

    /// Serves until a signal arrives; then reports not ready, finishes the requests in flight, and returns.
    func run() async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = settings.noticeTime + settings.drainTime
        try await ServiceGroup(configuration: configuration).run()
        manager.cancelAll()
        if await manager.waitForStores(within: Self.storeTime) { return }
        logger.warning("stores did not end in time", metadata: ["seconds": "\(Self.storeTime.components.seconds)"])
    }

    /// The parts of the server that run at the same time. They shut down in reverse order, so purges are followed until the
    /// last request has been served.
    var services: [any Service] {
        let hasMiddleware = isTraced || isLogged
        let main = application(
            responder, sendingFromMemoryOf: hasMiddleware ? nil : routes, answering: hasMiddleware ? nil : operations,
            at: BindAddress.hostname(settings.host, port: settings.port)
        ) { await notify("READY=1") }
        let draining = Draining(readiness: readiness, noticeTime: settings.noticeTime) { await notify("STOPPING=1") }
        var services: [any Service] = [PurgeChecks(watch: purges)]
        if let tier { services.append(PurgeFollower(tier: tier, manager: manager)) }
        if let metricsApplication { services.append(metricsApplication) }
        return services + [main, draining]
    }

    private var isTraced: Bool { !(InstrumentationSystem.tracer is NoOpTracer) }

    private var isLogged: Bool { logger.logLevel <= .debug }

    /// The part of the server that responds to requests, without what is answered from memory.
    var responder: any HTTPResponder<ThumbnailContext> {
        let router = Router(context: ThumbnailContext.self, options: .autoGenerateHeadEndpoints)
        let mountPath = settings.thumbnails.mountPath
        if isTraced {
            router.add(middleware: RedactedRequests(TracingMiddleware<ThumbnailContext>(), below: mountPath))
        }
        if isLogged {
            router.add(middleware: RedactedRequests(LogRequestsMiddleware<ThumbnailContext>(.debug), below: mountPath))
        }
        router.add(middleware: SecurityHeaders())
        router.add(middleware: ReadOnly())
        operations.add(to: router)
        if settings.metricsAddress == nil { operations.addMetrics(to: router) }
        if settings.showsGallery {
            GalleryRoutes(settings.thumbnails, showsMetrics: settings.metricsAddress == nil).add(to: router)
        }
        routes.add(to: router)
        let responder = router.buildResponder()
        return isTraced || isLogged ? responder : ThumbnailResponder(routes, other: responder)
    }

    /// The separate server for metrics, if they have an address of their own.
    private var metricsApplication: (any Service)? {
        settings.metricsAddress.map { address in
            let router = Router(context: ThumbnailContext.self, options: .autoGenerateHeadEndpoints)
            router.add(middleware: SecurityHeaders())
            router.add(middleware: ReadOnly())
            operations.addMetrics(to: router)
            return application(router.buildResponder(), at: .hostname(address.host, port: address.port))
        }
    }

    private func application(
        _ responder: some HTTPResponder<ThumbnailContext>, sendingFromMemoryOf routes: ThumbnailRoutes? = nil,
        answering operations: OperationRoutes? = nil, at address: BindAddress,
        onListening: @escaping @Sendable () async -> Void = {}
    ) -> any Service {
        Application(
            responder: responder,
            server: settings.connections.server(sendingFromMemoryOf: routes, answering: operations),
            configuration: settings.connections.configuration(address),
            onServerRunning: { [logger] channel in
                logger.info("listening", metadata: ["address": "\(channel.localAddress?.description ?? "?")"])
                await onListening()
            }, logger: logger)
    }

    /// Tells the service manager that the server can be used, or that it ends.
    private func notify(_ state: String) async {
        do {
            try await ServiceManager.notify(state)
        } catch {
            logger.warning("the service manager cannot be told \(state)", metadata: ["error": "\(error)"])
        }
    }
}

/// The error for a redirect to a URL that is not allowed.
private struct SourceRefusal: Error, CustomStringConvertible {
    let description = "sources.allow does not allow the URL"
}

/// Reports not ready at the start of a shutdown, and gives the load balancer time to notice. The services before it in
/// the group keep running until then.
private struct Draining: Service {
    let readiness: OperationRoutes.Readiness
    let noticeTime: Duration
    let onStart: @Sendable () async -> Void

    func run() async throws {
        try? await gracefulShutdown()
        readiness.isReady = false
        await onStart()
        try await Task.sleep(for: noticeTime)
    }
}

/// Removes from memory what other programs have removed from the disk cache.
private struct PurgeChecks: Service {
    let watch: PurgeWatch

    func run() async throws {
        await cancelWhenGracefulShutdown { await watch.run() }
        // The end of a service would end the server.
        try? await gracefulShutdown()
    }
}

/// Removes from the caches of this server what others have removed from the shared tier.
private struct PurgeFollower: Service {
    let tier: SharedTier
    let manager: ImageManager

    func run() async throws {
        await cancelWhenGracefulShutdown { await tier.followPurges(with: manager) }
        // The end of a service would end the server.
        try? await gracefulShutdown()
    }
}
