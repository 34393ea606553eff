import ArgumentParser
import Console
import Darkroom
import DarkroomIsolation
import InstalledCoders

/// The options that control fetching and its limits.
struct LoadingOptions: ParsableArguments {
    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp("Change a limit: \(Limit.names.joined(separator: ", ")).", valueName: "name=value"),
        completion: .limits)
    var limits: [Limit] = []

    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("Send a header field with each request.", valueName: "name: value"))
    var headers: [HeaderField] = []

    @Option(help: ArgumentHelp("The timeout of each transfer.", valueName: "seconds"))
    var timeout: Double?

    @Flag(
        help:
            "Decode and encode in processes that can do nothing else, so that a hostile file takes over none of this one."
    )
    var isolate = false

    #if HEIF
        @Flag(help: "Read HEIC, whose decoders have a history of defects that hostile files exploit.")
        var heic = false
    #endif

    func validate() throws {
        guard timeout.map({ $0 > 0 && $0 < 1e6 }) ?? true else { throw ValidationError("--timeout must be positive.") }
    }

    /// Applies limits and header fields.
    func apply(to context: inout ImageContext) {
        for limit in limits { limit.apply(to: &context.limits) }
        for field in headers { context.httpHeaders[field.name] = field.value }
    }

    /// Creates a manager with `caches` and these options. It caches decoded images and written files in memory unless
    /// `keepsImages` is `false`, and only the disk cache is used.
    ///
    /// With `failures`, it fills the disk cache: those of the cache are noted, and end the command if it fails from the start.
    func manager(
        _ caches: CacheOptions, keepsImages: Bool = true, noting failures: CacheFailures? = nil
    ) throws -> ImageManager {
        let pool = try makePool()
        return try ImageManager {
            install(in: &$0, isolatedIn: pool)
            $0.keyFilters += caches.filters.filters
            let disk = try caches.dataCache(isRequired: !keepsImages, noting: failures ?? CacheFailures())
            try failures?.check()
            $0.dataCache = disk
            guard keepsImages else { return }
            $0.imageCache = MemoryImageCache()
            guard let disk else { return }
            $0.dataCache = TieredDataCache([MemoryDataCache(), disk], policies: .inclusive)
            $0.originalCache = disk
        }
    }

    private var readsHEIC: Bool {
        #if HEIF
            heic
        #else
            false
        #endif
    }

    /// Returns the processes in which coders work; `nil` for none.
    func makePool() throws -> WorkerPool? { isolate ? try IsolatedCoders.makePool() : nil }

    /// Installs the loaders and coders with the configured timeout.
    func install(in components: inout ImageManager.Components, isolatedIn pool: WorkerPool? = nil) {
        components.install(StandardPlugins())
        components.install(InstalledCoders(readsHEIC: readsHEIC))
        components.install(StandardInputLoader())
        if let pool { components.isolateCoders(in: pool) }
        if let timeout { components.install(HTTPLoader(.init(timeout: .seconds(timeout)))) }
    }
}

/// A field of an HTTP request, written `Name: value`.
struct HeaderField: ExpressibleByArgument {
    let name, value: String

    init?(argument: String) {
        let parts = argument.fields(separatedBy: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2, !parts[0].isEmpty, !argument.utf8.contains(where: { (0x0A...0x0D).contains($0) }) else {
            return nil
        }
        name = String(parts[0])
        value = String(Substring(parts[1].utf8.drop { $0 == UInt8(ascii: " ") }))
    }
}

extension HTTPLoader.Configuration {
    fileprivate init(timeout: Duration) {
        self.init()
        connectTimeout = timeout
        firstByteTimeout = timeout
        idleTimeout = timeout
        totalTimeout = timeout
    }
}
