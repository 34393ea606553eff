// swift-tools-version: 6.2
import PackageDescription

// As in the root package: CI treats warnings as errors.
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

/// A module of the library.
func darkroom(_ name: String) -> Target.Dependency { .product(name: name, package: "Darkroom") }

/// A program of one file, in the folder of `Small/` with its name.
func small(_ name: String, dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies + ["SmallExample"], path: "Small/\(name)", swiftSettings: swiftSettings)
}

// Examples that do not use HTTP depend on single modules, which link in a fraction of the time.
let stills = [darkroom("DarkroomCore"), darkroom("DarkroomFile"), darkroom("DarkroomJPEG"), darkroom("DarkroomPNG")]
let smallExamples = [
    small("animation-to-frames", dependencies: stills + [darkroom("DarkroomGIF"), darkroom("DarkroomWebP")]),
    small("cell-reuse", dependencies: [darkroom("DarkroomCore"), darkroom("DarkroomTargets")]),
    small(
        "custom-pipeline",
        dependencies: [
            darkroom("DarkroomCacheKeyFilters"), darkroom("DarkroomCaches"), darkroom("DarkroomCore"),
            darkroom("DarkroomPNG"),
        ]),
    small("decrypting-loader", dependencies: stills + [.product(name: "Crypto", package: "swift-crypto")]),
    small("first-load", dependencies: stills + [darkroom("DarkroomGIF"), darkroom("DarkroomWebP")]),
    small("own-context-key", dependencies: stills),
    small("per-request-loader", dependencies: stills),
    small("prefetch-a-list", dependencies: [darkroom("Darkroom")]),
    small("progress-and-previews", dependencies: [darkroom("Darkroom")]),
    small("thumbnail-batch", dependencies: stills + [darkroom("DarkroomGIF"), darkroom("DarkroomWebP")]),
    small(
        "traced-load",
        dependencies: stills + [
            darkroom("DarkroomCaches"), darkroom("DarkroomObservability"),
            .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            .product(name: "Tracing", package: "swift-distributed-tracing"),
        ]),
    small("transform-chain", dependencies: stills + [darkroom("DarkroomTransformers")]),
]

/// The coder of a plug-in, which the trait of this name adds to the command line and the gallery.
struct Coder {
    let trait: String
    let description: String

    /// The package, in the folder `Plugins`.
    var package: String { "\(trait)Coder" }

    var product: Target.Dependency {
        .product(name: "Darkroom\(trait)", package: package, condition: .when(traits: [trait]))
    }
}

let coders = [
    Coder(trait: "AVIF", description: "Reads and writes AVIF; needs libavif-dev."),
    Coder(trait: "BMP", description: "Reads and writes BMP and ICO."),
    Coder(trait: "HEIF", description: "Reads HEIC where a setting allows it; needs libheif-dev."),
    Coder(trait: "JPEGXL", description: "Reads and writes JPEG XL; needs libjxl-dev."),
    Coder(trait: "SVG", description: "Renders SVG; needs librsvg2-dev."),
    Coder(trait: "TIFF", description: "Reads and writes TIFF; needs libtiff-dev."),
]

let package = Package(
    name: "DarkroomExamples",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "darkroom", targets: ["DarkroomCommand"]),
        .executable(name: "gallery", targets: ["Gallery"]),
        .executable(name: "darkroom-demo", targets: ["DarkroomDemo"]),
        .library(name: "PictureServer", targets: ["PictureServer"]),
        .library(name: "InstalledCoders", targets: ["InstalledCoders"]),
    ],
    traits: Set(
        [
            // BMP needs no library that may not be installed.
            .default(enabledTraits: ["BMP"]),
            .trait(name: "AllFormats", description: "All of these.", enabledTraits: Set(coders.map(\.trait))),
        ] + coders.map { .trait(name: $0.trait, description: $0.description) }),
    dependencies: coders.map { .package(path: "Plugins/\($0.package)") } + [
        // All traits, in the order of the other packages of this repository, so that it is compiled once for all:
        // Scripts/traits.
        .package(name: "Darkroom", path: "..", traits: ["HTTP", "Observability", "S3", "Valkey"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: smallExamples + [
        // Not named like its product: on case-insensitive file systems, `darkroom` and `Darkroom` would be the same module.
        .executableTarget(
            name: "DarkroomCommand",
            dependencies: [
                "Console", "InstalledCoders",
                .product(name: "Darkroom", package: "Darkroom"),
                .product(name: "DarkroomIsolation", package: "Darkroom"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/darkroom",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "Gallery",
            dependencies: [
                "Console", "InstalledCoders",
                .product(name: "Darkroom", package: "Darkroom"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/gallery",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "InstalledCoders",
            dependencies: [darkroom("Darkroom")] + coders.map(\.product),
            swiftSettings: swiftSettings
        ),
        .systemLibrary(name: "CExtendedAttributes", path: "Sources/CExtendedAttributes"),
        .target(
            name: "Console",
            dependencies: [
                "CExtendedAttributes",
                .product(name: "Darkroom", package: "Darkroom"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "DarkroomDemo",
            dependencies: ["PictureServer"],
            path: "Sources/darkroom-demo",
            swiftSettings: swiftSettings
        ),
        .target(name: "SmallExample", dependencies: [darkroom("DarkroomCore")], swiftSettings: swiftSettings),
        .target(
            name: "PictureServer",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings
        ),
        // Makes the program of the tests a worker where it was started as one.
        .target(name: "CWorkerStart", path: "Tests/WorkerStart"),
        .testTarget(
            name: "DarkroomCommandTests",
            dependencies: [
                "Console", "CWorkerStart", "DarkroomCommand", "Gallery", "InstalledCoders", "PictureServer",
                .product(name: "Darkroom", package: "Darkroom"),
                .product(name: "DarkroomIsolation", package: "Darkroom"),
                .product(name: "DarkroomTestKit", package: "Darkroom"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "SmallExampleTests",
            dependencies: [
                "PictureServer",
                .product(name: "Darkroom", package: "Darkroom"),
                .product(name: "DarkroomTestKit", package: "Darkroom"),
            ],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
