import Configuration
import Darkroom
import DarkroomIsolation
import DarkroomS3
import Logging
import ServerPlatform
import ThumbnailServer

/// All settings of the server, read from command-line flags, the environment and a configuration file, in this order of
/// precedence.
struct ServerSettings {
    let host: String
    let port: Int
    /// The time in seconds for in-flight requests to finish during shutdown.
    let drainTime: Duration
    /// The time in seconds between reporting not ready and refusing new connections.
    let noticeTime: Duration
    let logLevel: Logger.Level
    /// Whether logs are written as lines of JSON.
    let logsJSON: Bool
    let thumbnails: ThumbnailSettings
    let showsGallery: Bool
    let cacheDirectory: URL
    let cacheByteLimit: Int
    let imageByteLimit: Int
    let memoryBudget: MemoryBudget
    let addressPolicy: HTTPLoader.AddressPolicy
    /// The ports of origin servers that may be contacted.
    let sourcePorts: Set<Int>
    /// The engine whose objects are sources; `nil` for none.
    let objectSources: S3Loader.Configuration?
    /// The limits on the number of client connections and on their duration.
    let connections: ConnectionLimits
    /// The address that serves metrics, if it differs from the one that serves images.
    let metricsAddress: (host: String, port: Int)?
    /// The tier that several servers share; `nil` for a server of its own.
    let fleet: FleetSettings?
    /// The worker processes in which coders work.
    let isolation: IsolationSettings
    /// All settings, one per line.
    let lines: [String]

    /// The field `User-Agent` of requests to origin servers.
    let userAgent: String

    /// The number of client connections that there can be at the same time.
    var connectionCount: Int { connections.totalCount * (metricsAddress == nil ? 1 : 2) }

    /// Reads the settings from `config`.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the program, including the flags.
    ///   - environment: The names of the environment variables.
    ///   - file: The paths of the values in the configuration file.
    /// - Throws: A `SettingsError` for an invalid value, and for an unknown flag, variable or path.
    init(
        _ config: ConfigReader, arguments: [String] = [], environment: [String] = [], file: [String] = []
    ) async throws {
        var reader = SettingsReader(config, arguments: arguments)
        host = try await reader.text("http.host", default: "127.0.0.1") ?? "127.0.0.1"
        port = try await reader.int("http.port", default: 8080, atLeast: 0, atMost: 65535)
        var connections = try await Self.connections(&reader)
        let metricsHost = try await reader.text("metrics.host", default: "127.0.0.1") ?? "127.0.0.1"
        let metricsPort = try await reader.int("metrics.port", default: 0, atLeast: 0, atMost: 65535)
        metricsAddress = metricsPort > 0 ? (metricsHost, metricsPort) : nil
        drainTime = try await reader.seconds("http.drainSeconds", default: .seconds(20))
        noticeTime = try await reader.seconds("http.noticeSeconds", default: .zero)
        let levelName = try await reader.text("log.level", default: "info") ?? ""
        guard let level = Logger.Level(rawValue: levelName) else {
            let names = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingsError("log.level is \"\(levelName)\", but must be one of \(names)")
        }
        logLevel = level
        let format = try await reader.text("log.format", default: "text") ?? ""
        guard format == "text" || format == "json" else {
            throw SettingsError("log.format is \"\(format)\", but must be text or json")
        }
        logsJSON = format == "json"
        objectSources = try await S3Loader.Configuration.read(&reader)
        var thumbnails = try await Self.thumbnails(&reader)
        thumbnails.sources.buckets = objectSources?.buckets ?? []
        self.thumbnails = thumbnails
        // Behind a proxy, all clients have its address.
        if thumbnails.proxyCount > 0 { connections.countPerClient = nil }
        self.connections = connections
        showsGallery = try await reader.bool("gallery", default: false)
        guard !showsGallery || thumbnails.allowsInsecure else {
            throw SettingsError("gallery requires signature.insecure, because the page requests unsigned paths")
        }
        let directory = try await reader.text(
            "cache.directory", default: DiskDataCache.defaultDirectory(namespace: "thumbnail-server").path)
        cacheDirectory = URL(filePath: directory ?? ".")
        cacheByteLimit = try await reader.int("cache.bytes", default: 1 << 30)
        imageByteLimit = try await reader.int("cache.imageBytes", default: 64 << 20, atLeast: 0)
        memoryBudget = MemoryBudget(
            byteLimit: try await reader.int("memory.bytes", default: MemoryDefaults().budget))
        let networks = try await reader.list("sources.networks")
        sourcePorts = try await Self.sourcePorts(&reader, sources: thumbnails.sources)
        let allowed = networks.map { HTTPLoader.AddressPolicy.networks($0) }
        addressPolicy = allowed.reduce(HTTPLoader.AddressPolicy.publicOnly) { $0.or($1) }
        fleet = try await FleetSettings.read(&reader)
        isolation = try await IsolationSettings(&reader)
        userAgent = try await reader.text("sources.userAgent", default: "darkroom-thumbnail-server/1.0") ?? ""
        guard userAgent.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw SettingsError("sources.userAgent contains characters other than those of ASCII")
        }
        let keys = reader.keys
        try keys.check(arguments: arguments)
        try keys.check(environment: environment)
        try keys.check(file: file)
        lines = reader.lines
    }

    private static func thumbnails(_ reader: inout SettingsReader) async throws -> ThumbnailSettings {
        var settings = ThumbnailSettings()
        let keys = try await reader.list("signature.keys", isSecret: true)
        if !keys.isEmpty {
            let bytes = keys.compactMap { Data(base64Encoded: $0) }
            guard bytes.count == keys.count, let signer = PathSigner(keys: bytes) else {
                throw SettingsError(
                    "signature.keys contains an invalid key; a key has at least 16 bytes, and is written in base64")
            }
            settings.signer = signer
        }
        settings.allowsInsecure = try await reader.bool("signature.insecure", default: false)
        guard settings.signer != nil || settings.allowsInsecure else {
            throw SettingsError(
                "signature.keys is empty; set it, or set signature.insecure to accept unsigned requests from every client"
            )
        }
        let rules = try await reader.list("sources.allow").map { text in
            guard let rule = SourceRule(text) else {
                throw SettingsError("sources.allow contains \(text), which is not a prefix of http or https URLs")
            }
            return rule
        }
        settings.sources.rules = rules.isEmpty ? nil : rules
        settings.formats = try await formats(&reader)
        settings.sources.sampleFolder = try await reader.text("sources.samples").map { try folder(at: $0) }
        for (name, options) in try await reader.pairs("presets") { settings.presets[name] = options }
        for (name, file) in try await reader.pairs("watermarks") {
            settings.watermarks[name] = try contents(of: file, key: "watermarks")
        }
        settings.fallback = try await reader.text("fallback").map { try picture(in: $0, key: "fallback") }
        settings.limits = try await limits(&reader)
        settings.pixelLimit = try await reader.int("limits.outputPixels", default: settings.pixelLimit)
        settings.stepLimit = try await reader.int("limits.steps", default: settings.stepLimit, atLeast: 0)
        settings.quality = try await quality(&reader)
        settings.lifetime = try await reader.seconds("cache.lifetime", default: settings.lifetime)
        settings.staleWhileRevalidate = try await reader.seconds(
            "cache.staleWhileRevalidate", default: settings.staleWhileRevalidate)
        settings.memoryByteLimit = try await reader.int("cache.memoryBytes", default: MemoryDefaults().responses)
        settings.workLimit = try await workLimit(&reader)
        let perSecond = try await reader.double("clients.perSecond", default: 20)
        let burst = try await reader.int("clients.burst", default: 200)
        settings.clientLimit = perSecond > 0 ? RateLimit(perSecond: perSecond, burst: burst) : nil
        settings.proxyCount = try await reader.int("clients.proxies", default: 0, atLeast: 0)
        settings.mountPath = try await mountPath(&reader)
        return settings
    }

    private static func workLimit(_ reader: inout SettingsReader) async throws -> EncodingLimit {
        var limit = EncodingLimit()
        // Half of the results may wait for their originals while others keep each processor busy.
        let processorCount = WorkerPool.Configuration().count
        limit.running = try await reader.int("work.running", default: max(limit.running, 2 * processorCount))
        let perHost = try await reader.int(
            "work.runningPerHost", default: max(1, limit.running / 4 * 3), atLeast: 0)
        limit.runningPerHost = perHost > 0 ? perHost : nil
        limit.waiting = try await reader.int("work.waiting", default: limit.waiting, atLeast: 0)
        return limit
    }

    private static func quality(_ reader: inout SettingsReader) async throws -> FileQuality {
        let text = try await reader.textOrNumber("quality", default: Int((DefaultQuality.delivered * 100).rounded()))
        guard let quality = FileQuality(text) else {
            throw SettingsError("quality is \(text), but must be from 1 to 100, or auto, or auto and a score: auto:75")
        }
        return quality
    }

    private static func limits(_ reader: inout SettingsReader) async throws -> DecodeLimits {
        var limits = DecodeLimits()
        limits.encodedByteCount = try await reader.int("limits.downloadBytes", default: 64 << 20)
        limits.pixelCount = try await reader.int("limits.sourcePixels", default: limits.pixelCount)
        limits.decodedByteCount = try await reader.int("limits.decodedBytes", default: limits.decodedByteCount)
        limits.frameCount = try await reader.int("limits.frames", default: 500)
        limits.animationPixelCount = try await reader.int("limits.animationPixels", default: 200_000_000)
        limits.outputByteCount = try await reader.int("limits.outputBytes", default: 32 << 20)
        limits.workTime = try await reader.seconds("limits.workSeconds", default: limits.workTime)
        return limits
    }

    private static func connections(_ reader: inout SettingsReader) async throws -> ConnectionLimits {
        var limits = ConnectionLimits()
        limits.count = try await reader.int("http.connections", default: limits.count, atMost: 1_000_000)
        let countPerClient = try await reader.int(
            "http.connectionsPerClient", default: limits.countPerClient ?? 0, atLeast: 0)
        limits.countPerClient = countPerClient > 0 ? countPerClient : nil
        limits.headTimeout = try await reader.seconds("http.headSeconds", default: limits.headTimeout, atLeast: 1)
        limits.bodyTimeout = try await reader.seconds("http.bodySeconds", default: limits.bodyTimeout, atLeast: 1)
        limits.idleTimeout = try await reader.seconds("http.idleSeconds", default: limits.idleTimeout, atLeast: 1)
        limits.writeTimeout = try await reader.seconds("http.writeSeconds", default: limits.writeTimeout, atLeast: 1)
        return limits
    }

    private static func formats(_ reader: inout SettingsReader) async throws -> [ImageFormat] {
        let names = try await reader.list("formats", default: ThumbnailSettings().formats.map(\.fileExtension))
        let formats = ImageFormat.offered.filter { names.contains($0.fileExtension) }
        // Every client displays one of these.
        let common: [ImageFormat] = [.jpeg, .png, .gif, .webp]
        guard formats.contains(where: common.contains), formats.count == Set(names).count else {
            let offered = ImageFormat.offered.map(\.fileExtension).joined(separator: ", ")
            throw SettingsError(
                "formats is \(names.joined(separator: ",")), but must list some of \(offered), of which one must be jpeg, png, gif or webp"
            )
        }
        return formats
    }

    /// Returns the configured ports and those of the allowed sources.
    private static func sourcePorts(
        _ reader: inout SettingsReader, sources: SourcePolicy
    ) async throws -> Set<Int> {
        let ports = try await reader.list("sources.ports", default: ["80", "443"]).map { text in
            guard let port = Int(text), (1...65535).contains(port) else {
                throw SettingsError("sources.ports contains \(text), which is not a number from 1 to 65535")
            }
            return port
        }
        return sources.ports.union(ports)
    }

    private static func mountPath(_ reader: inout SettingsReader) async throws -> String {
        guard let path = try await reader.text("http.mount") else { return "" }
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.last != UInt8(ascii: "/") else {
            throw SettingsError("http.mount is \(path), but must begin with a slash, and not end with one")
        }
        return path
    }

    private static func folder(at path: String) throws -> URL {
        guard URL(filePath: path, directoryHint: .checkFileSystem).hasDirectoryPath else {
            throw SettingsError("sources.samples is \(path), which is not a folder")
        }
        return URL(filePath: path)
    }

    private static func picture(in file: String, key: String) throws -> Data {
        let data = try contents(of: file, key: key)
        guard let format = ImageFormat.sniff(data), ImageFormat.offered.contains(format) else {
            throw SettingsError("\(key) names \(file), which is no image in a format that the server offers")
        }
        return data
    }

    private static func contents(of file: String, key: String) throws -> Data {
        guard let data = try? Data(contentsOf: URL(filePath: file)) else {
            throw SettingsError("\(key) names \(file), which cannot be read")
        }
        return data
    }
}
