// swift-tools-version: 6.2
import PackageDescription

// CI makes warnings errors, so that none gets in; whoever builds with a newer compiler is not stopped by what it warns about.
let warnings: [SwiftSetting] =
    Context.environment["DARKROOM_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : []

// With the variable, which Scripts/test sets, debug builds take less time from scratch, and more after a change: compiling a
// module as a whole takes a fifth less processor time than in batches, each of which reads the whole module, too.
// Of the information for debuggers, only the lines are left, which crashes are reported with.
// SwiftPM refuses dependencies by version that always have such flags.
let fromScratch = Context.environment["DARKROOM_FROM_SCRATCH"]
let wholeModules = [
    "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2", "-Xfrontend", "-gline-tables-only",
]

let swiftSettings: [SwiftSetting] =
    warnings + (fromScratch != nil ? [.unsafeFlags(wholeModules, .when(configuration: .debug))] : []) + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
    ]

// If its value is `tests`, the modules in which the tests spend most of their time are optimised as well: compiling takes a minute
// longer, and the tests take minutes less.
let optimizes = fromScratch == "tests"
let optimized: [SwiftSetting] =
    optimizes ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : []

// The C library checks the sizes that the compiler knows, which takes an optimising compiler. Whoever builds a program adds what only
// flags can: `Scripts/package` has them. Like the modules above, it is optimised for the tests.
let hardened: [CSetting] =
    [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]
    + (optimizes ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : [])

/// A module of the library: its target, whose folder lies under `Sources/`.
func module(
    _ name: String, path: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: ["DarkroomPlatform"] + dependencies, path: "Sources/\(path)",
        swiftSettings: swiftSettings + settings)
}

/// The module map of a system library, in the folder of `Sources/System` that has the rest of its name.
///
/// `pkgConfig` only where pkg-config knows the package on every platform; the module maps carry the link lines.
func system(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(
        name: "System\(name)", path: "Sources/System/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([apt]), .brew([brew])])
}

/// The tests of `module`, in the folder of `Tests/` that has its name.
func tests(_ folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "Darkroom\(folder)Tests",
        dependencies: ["DarkroomCore", "DarkroomPlatform", "DarkroomTestKit", "TestSupport"] + dependencies,
        path: "Tests/\(folder)",
        swiftSettings: swiftSettings
    )
}

let http = TargetDependencyCondition.when(traits: ["HTTP"])
let observability = TargetDependencyCondition.when(traits: ["Observability"])
let s3 = TargetDependencyCondition.when(traits: ["S3"])
let valkey = TargetDependencyCondition.when(traits: ["Valkey"])
let httpClient = TargetDependencyCondition.when(traits: ["HTTP", "S3"])

// The Swift Package Index sets the variable, and documents what the default traits compile.
let documentsAll = Context.environment["SPI_GENERATE_DOCS"] != nil

let package = Package(
    name: "Darkroom",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Darkroom", targets: ["Darkroom"]),
        .library(name: "DarkroomCore", targets: ["DarkroomCore"]),
        .library(name: "DarkroomPlayback", targets: ["DarkroomPlayback"]),
        .library(name: "DarkroomTargets", targets: ["DarkroomTargets"]),
        .library(name: "DarkroomCaches", targets: ["DarkroomCaches"]),
        .library(name: "DarkroomPNG", targets: ["DarkroomPNG"]),
        .library(name: "DarkroomJPEG", targets: ["DarkroomJPEG"]),
        .library(name: "DarkroomGIF", targets: ["DarkroomGIF"]),
        .library(name: "DarkroomWebP", targets: ["DarkroomWebP"]),
        .library(name: "DarkroomColor", targets: ["DarkroomColor"]),
        .library(name: "DarkroomVisualQuality", targets: ["DarkroomVisualQuality"]),
        .library(name: "DarkroomTransformers", targets: ["DarkroomTransformers"]),
        .library(name: "DarkroomCacheKeyFilters", targets: ["DarkroomCacheKeyFilters"]),
        .library(name: "DarkroomFile", targets: ["DarkroomFile"]),
        .library(name: "DarkroomHTTP", targets: ["DarkroomHTTP"]),
        .library(name: "DarkroomObservability", targets: ["DarkroomObservability"]),
        .library(name: "DarkroomFleet", targets: ["DarkroomFleet"]),
        .library(name: "DarkroomIsolation", targets: ["DarkroomIsolation"]),
        .library(name: "DarkroomS3", targets: ["DarkroomS3"]),
        .library(name: "DarkroomValkey", targets: ["DarkroomValkey"]),
        .library(name: "DarkroomTestKit", targets: ["DarkroomTestKit"]),
    ],
    traits: [
        .default(enabledTraits: Set(["HTTP", "Observability"]).union(documentsAll ? ["S3", "Valkey"] : [])),
        .trait(name: "HTTP", description: "HTTPLoader, over async-http-client."),
        .trait(
            name: "Observability",
            description: "LoadObservability, over swift-log, swift-metrics and swift-distributed-tracing."),
        .trait(name: "S3", description: "S3ObjectStore and S3Loader, over async-http-client and swift-crypto."),
        .trait(name: "Valkey", description: "ValkeyLeases, over swift-nio."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", "3.12.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        // Foundation and the C library, whichever the platform has; no product.
        .target(name: "DarkroomPlatform", path: "Sources/Platform", swiftSettings: swiftSettings),
        module("DarkroomCore", path: "Core", ["CChecksum", "CPixels"], settings: optimized),
        module("DarkroomPlayback", path: "Playback", ["DarkroomCore"]),
        module("DarkroomTargets", path: "Targets", ["DarkroomCore"]),
        // Opens, reads and writes files, for all that does; no product.
        module("DarkroomFiles", path: "Files", settings: optimized),
        module("DarkroomCaches", path: "Caches", ["DarkroomCore", "DarkroomFiles", "CChecksum"], settings: optimized),
        // Chooses palettes, for the coders of formats that have them; no product.
        module("DarkroomQuantizing", path: "Quantizing", settings: optimized),
        module(
            "DarkroomPNG", path: "Coders/PNG", ["DarkroomCore", "DarkroomQuantizing", "CPNG"],
            settings: optimized),
        module("DarkroomJPEG", path: "Coders/JPEG", ["DarkroomCore", "CJPEG"], settings: optimized),
        module(
            "DarkroomGIF", path: "Coders/GIF",
            ["DarkroomCore", "DarkroomQuantizing", "CGIFDecompressor", "CGif"], settings: optimized),
        module("DarkroomWebP", path: "Coders/WebP", ["DarkroomCore", "CWebP"], settings: optimized),
        module("DarkroomColor", path: "Color", ["DarkroomCore", "SystemLCMS"]),
        module("DarkroomVisualQuality", path: "VisualQuality", ["DarkroomCore", "CSimilarity"]),
        module("DarkroomTransformers", path: "Transformers", ["DarkroomCore"], settings: optimized),
        module("DarkroomCacheKeyFilters", path: "CacheKeyFilters", ["DarkroomCore"], settings: optimized),
        module("DarkroomFile", path: "Loaders/File", ["DarkroomCore", "DarkroomFiles", "CChecksum"]),
        // Guards the HTTP clients of the library; no product.
        module(
            "DarkroomHTTPGuard", path: "HTTPGuard",
            [
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: httpClient),
                .product(name: "NIOCore", package: "swift-nio", condition: httpClient),
                .product(name: "NIOHPACK", package: "swift-nio-http2", condition: httpClient),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: httpClient),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: httpClient),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: httpClient),
            ]),
        module(
            "DarkroomHTTP", path: "Loaders/HTTP",
            [
                "DarkroomCore", "DarkroomHTTPGuard",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: http),
                .product(name: "NIOCore", package: "swift-nio", condition: http),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: http),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: http),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: http),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: http),
            ]),
        module(
            "DarkroomObservability", path: "Observability",
            [
                "DarkroomCore",
                .product(name: "CoreMetrics", package: "swift-metrics", condition: observability),
                .product(name: "Logging", package: "swift-log", condition: observability),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: observability),
            ]),
        module("DarkroomFleet", path: "Fleet", ["DarkroomCore"]),
        module("DarkroomIsolation", path: "Isolation", ["DarkroomCore", "CIsolation"]),
        module(
            "DarkroomS3", path: "S3",
            [
                "DarkroomCore", "DarkroomFleet", "DarkroomHTTPGuard",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: s3),
                .product(name: "Crypto", package: "swift-crypto", condition: s3),
                .product(name: "NIOCore", package: "swift-nio", condition: s3),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: s3),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: s3),
            ]),
        module(
            "DarkroomValkey", path: "Valkey",
            [
                "DarkroomCore", "DarkroomFleet",
                .product(name: "NIOCore", package: "swift-nio", condition: valkey),
                .product(name: "NIOPosix", package: "swift-nio", condition: valkey),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: valkey),
            ]),
        module(
            "Darkroom", path: "Darkroom",
            [
                "DarkroomCore", "DarkroomPlayback", "DarkroomTargets", "DarkroomCaches", "DarkroomPNG", "DarkroomJPEG",
                "DarkroomGIF", "DarkroomWebP", "DarkroomColor", "DarkroomVisualQuality", "DarkroomTransformers",
                "DarkroomCacheKeyFilters",
                "DarkroomFile",
                .target(name: "DarkroomHTTP", condition: http),
                .target(name: "DarkroomObservability", condition: observability),
            ]),
        // Without the trait HTTP, the test kit has no LoopbackServer, and a plug-in that is tested with it compiles no NIO.
        module(
            "DarkroomTestKit", path: "TestKit",
            [
                "DarkroomCore", "DarkroomFleet",
                .product(name: "NIOCore", package: "swift-nio", condition: http),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: http),
                .product(name: "NIOPosix", package: "swift-nio", condition: http),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: http),
            ]),

        // The doors to the libraries of the formats. Those of libpng and libjpeg, which report errors with longjmp, hold
        // the C that calls them.
        .target(name: "CPNG", dependencies: ["SystemPNG", "SystemDeflate", "SystemZlib"], cSettings: hardened),
        .target(name: "CJPEG", dependencies: ["SystemJPEG"], cSettings: hardened),
        .systemLibrary(name: "CGif", providers: [.apt(["libgif-dev"]), .brew(["giflib"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebpmux", providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        system("PNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
        system("Deflate", pkgConfig: "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
        system("Zlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
        system("JPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
        system("LCMS", pkgConfig: "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),

        // C of our own.
        .target(name: "CGIFDecompressor", cSettings: hardened),
        .target(name: "CChecksum", cSettings: hardened),
        .target(name: "CIsolation", cSettings: hardened),
        .target(name: "CPixels", cSettings: hardened),
        .target(name: "CSimilarity", cSettings: hardened),

        .target(
            name: "TestSupport",
            dependencies: [
                "DarkroomCore", "DarkroomFiles", "DarkroomPlatform", "DarkroomTestKit",
                .product(name: "NIOCore", package: "swift-nio", condition: http),
                .product(name: "NIOPosix", package: "swift-nio", condition: http),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: http),
            ],
            path: "Tests/Support",
            swiftSettings: swiftSettings
        ),
        // What a decoder does that was taken over, and the places in which a worker may find itself.
        .target(name: "CHostile", path: "Tests/Hostile"),
        tests("Core"),
        tests("Playback", ["DarkroomPlayback"]),
        tests("Targets", ["DarkroomTargets"]),
        tests("Caches", ["DarkroomCaches", "DarkroomFiles", "CChecksum"]),
        tests("Quantizing", ["DarkroomQuantizing"]),
        tests("PNG", ["DarkroomPNG", "CPNG"]),
        tests("JPEG", ["DarkroomJPEG"]),
        tests("GIF", ["DarkroomGIF"]),
        tests("WebP", ["DarkroomWebP"]),
        tests("Color", ["DarkroomColor"]),
        tests("Animations", ["DarkroomPNG", "DarkroomJPEG", "DarkroomGIF", "DarkroomWebP"]),
        tests("VisualQuality", ["DarkroomVisualQuality", "DarkroomJPEG", "DarkroomPNG", "DarkroomWebP"]),
        tests("Transformers", ["DarkroomTransformers"]),
        tests("CacheKeyFilters", ["DarkroomCacheKeyFilters"]),
        tests("File", ["DarkroomFile", "DarkroomFiles"]),
        tests("HTTP", ["DarkroomHTTP"]),
        tests(
            "Observability",
            [
                "DarkroomObservability",
                .product(name: "InMemoryLogging", package: "swift-log", condition: observability),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: observability),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: observability),
            ]),
        tests("Fleet", ["DarkroomCaches", "DarkroomFleet", "DarkroomPNG"]),
        tests(
            "Isolation",
            [
                "DarkroomColor", "DarkroomGIF", "DarkroomIsolation", "DarkroomJPEG", "DarkroomPNG",
                "DarkroomTransformers", "DarkroomWebP", "CHostile",
            ]),
        tests("S3", ["DarkroomS3"]),
        tests(
            "Valkey",
            [
                "DarkroomFleet", "DarkroomValkey",
                .product(name: "NIOCore", package: "swift-nio", condition: valkey),
                .product(name: "NIOPosix", package: "swift-nio", condition: valkey),
            ]),
        tests(
            "TestKit",
            [
                "DarkroomCacheKeyFilters", "DarkroomCaches", "DarkroomFile", "DarkroomFleet", "DarkroomGIF",
                "DarkroomJPEG", "DarkroomPNG", "DarkroomTransformers", "DarkroomWebP",
            ]),
        tests("Darkroom", ["Darkroom"]),
        tests("Parity", ["Darkroom"]),
    ],
    swiftLanguageModes: [.v6]
)
