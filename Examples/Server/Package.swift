// swift-tools-version: 6.2
import PackageDescription

// As in the package of the library: CI makes warnings errors.
let warnings: [SwiftSetting] =
    Context.environment["DARKROOM_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : []

let swiftSettings: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
    ]

/// The traits of the other examples, each of which adds the coder of a plug-in.
let coders = ["AVIF", "BMP", "HEIF", "JPEGXL", "SVG", "TIFF"]

// Separate from the other examples, so that they need no Hummingbird. Two defaults are left out, because each makes every
// program of the build link Foundation and its 40 MB of ICU: `JSON` of swift-configuration, and `FullFoundation` of
// Hummingbird.
let package = Package(
    name: "DarkroomServer",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "thumbnail-server", targets: ["ThumbnailServerProgram"]),
        .library(name: "ThumbnailServer", targets: ["ThumbnailServer"]),
        .library(name: "PrometheusText", targets: ["PrometheusText"]),
    ],
    traits: Set(
        [
            // As in the package of the other examples.
            .default(enabledTraits: ["BMP"]),
            .trait(name: "AllFormats", description: "All of these.", enabledTraits: Set(coders)),
        ] + coders.map { .trait(name: $0, description: "Adds the coder of the plug-in \($0)Coder.") }),
    dependencies: [
        // All traits, in the order of the other packages of this repository, so that it is compiled once for all:
        // Scripts/traits.
        .package(name: "Darkroom", path: "../..", traits: ["HTTP", "Observability", "S3", "Valkey"]),
        .package(
            name: "DarkroomExamples", path: "..",
            traits: Set(coders.map { .trait(name: $0, condition: .when(traits: [$0])) })),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["CommandLineArguments"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CAllocator", path: "Sources/CAllocator"),
        // Foundation and the C library, whichever the platform has; no product.
        .target(name: "ServerPlatform", swiftSettings: swiftSettings),
        .executableTarget(
            name: "ThumbnailServerProgram",
            dependencies: [
                "CAllocator", "PrometheusText", "ServerPlatform", "ThumbnailServer",
                .product(name: "Darkroom", package: "Darkroom"),
                .product(name: "DarkroomFleet", package: "Darkroom"),
                .product(name: "DarkroomIsolation", package: "Darkroom"),
                .product(name: "DarkroomS3", package: "Darkroom"),
                .product(name: "DarkroomValkey", package: "Darkroom"),
                .product(name: "InstalledCoders", package: "DarkroomExamples"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Sources/thumbnail-server",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "ThumbnailServer",
            dependencies: [
                "PrometheusText", "ServerPlatform",
                .product(name: "Darkroom", package: "Darkroom"),
                .product(name: "InstalledCoders", package: "DarkroomExamples"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            ],
            resources: [
                .embedInCode("Page/index.html"), .embedInCode("Page/gallery.css"), .embedInCode("Page/gallery.js"),
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "PrometheusText",
            dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "ThumbnailServerTests",
            dependencies: [
                "PrometheusText", "ThumbnailServer", "ThumbnailServerProgram",
                .product(name: "Darkroom", package: "Darkroom"),
                .product(name: "DarkroomIsolation", package: "Darkroom"),
                .product(name: "DarkroomTestKit", package: "Darkroom"),
                .product(name: "DarkroomValkey", package: "Darkroom"),
                .product(name: "InstalledCoders", package: "DarkroomExamples"),
                .product(name: "PictureServer", package: "DarkroomExamples"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
