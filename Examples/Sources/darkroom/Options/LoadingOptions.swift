import ArgumentParser
import Darkroom

/// How sources are fetched, and what that may cost.
struct LoadingOptions: ParsableArguments {
    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp("Change a limit: \(Limit.names.joined(separator: ", ")).", valueName: "name=value"))
    var limits: [Limit] = []

    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("Send a header field with each request.", valueName: "name: value"))
    var headers: [HeaderField] = []

    @Option(help: ArgumentHelp("The longest time for one transfer.", valueName: "seconds"))
    var timeout: Double?

    @Option(help: ArgumentHelp("How many sources are handled at once.", valueName: "n"))
    var jobs = 4

    func validate() throws {
        guard jobs > 0 else { throw ValidationError("--jobs must be at least 1.") }
        guard timeout.map({ $0 > 0 && $0 < 1e6 }) ?? true else { throw ValidationError("--timeout must be positive.") }
    }

    /// Sets limits and header fields.
    func apply(to context: inout ImageContext) {
        for limit in limits { context.limits[keyPath: limit.property] = limit.value }
        for field in headers { context.httpHeaders[field.name] = field.value }
    }

    /// Installs loaders and coders that keep to the time.
    func install(in components: inout ImageManager.Components) {
        components.install(StandardPlugins())
        components.install(StandardInputLoader())
        if let timeout { components.install(HTTPLoader(.init(timeout: .seconds(timeout)))) }
    }
}

/// A property of `DecodeLimits` and its value, written `pixelCount=1000000`.
struct Limit: ExpressibleByArgument {
    let property: any WritableKeyPath<DecodeLimits, Int> & Sendable
    let value: Int

    private static let properties: KeyValuePairs<String, any WritableKeyPath<DecodeLimits, Int> & Sendable> = [
        "encodedByteCount": \.encodedByteCount, "pixelCount": \.pixelCount,
        "decodedByteCount": \.decodedByteCount, "frameCount": \.frameCount, "scanCount": \.scanCount,
    ]

    static var names: [String] { properties.map(\.key) }

    init?(argument: String) {
        let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let value = Int(parts[1]), value >= 0,
            let property = Self.properties.first(where: { $0.key == parts[0] })?.value
        else { return nil }
        self.property = property
        self.value = value
    }
}

/// A field of an HTTP request, written `Name: value`.
struct HeaderField: ExpressibleByArgument {
    let name, value: String

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !argument.contains(where: \.isNewline) else { return nil }
        name = String(parts[0])
        value = String(parts[1].drop { $0 == " " })
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
