// swift-tools-version: 6.2
import PackageDescription

// As in the package of the library: CI makes warnings errors.
let warnings: [SwiftSetting] =
    Context.environment["DARKROOM_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : []

// Without strict memory safety: nearly every line of this package passes a pointer to GTK, and would be marked.
let swiftSettings: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]

/// A module of the library.
func darkroom(_ name: String) -> Target.Dependency { .product(name: name, package: "Darkroom") }

/// A program that README.md shows.
func snippet(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["CGTK", "DarkroomGTK", darkroom("Darkroom")], path: "Small/\(name)",
        swiftSettings: swiftSettings)
}

// Separate from the other examples, so that they need no GTK. It has the traits of the server, so that both share what is
// built.
let package = Package(
    name: "DarkroomDesktop",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "DarkroomGTK", targets: ["DarkroomGTK"]),
        .executable(name: "photo-wall", targets: ["PhotoWallProgram"]),
        .executable(name: "picture-soak", targets: ["PictureSoak"]),
    ],
    dependencies: [
        // All traits, in the order of the other packages of this repository, so that it is compiled once for all:
        // Scripts/traits.
        .package(name: "Darkroom", path: "../..", traits: ["HTTP", "Observability", "S3", "Valkey"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .systemLibrary(
            name: "SystemGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"]), .brew(["gtk4"])]),
        // GTK itself, a paintable, and what macros of GTK would do.
        .target(name: "CGTK", dependencies: ["SystemGTK"]),
        .target(
            name: "DarkroomGTK",
            dependencies: [
                "CGTK", darkroom("DarkroomCore"), darkroom("DarkroomPlayback"),
                darkroom("DarkroomTargets"),
            ],
            swiftSettings: swiftSettings),
        // Without HTTP, so that the test program under the sanitizer is small.
        .target(
            name: "GeneratedPictures",
            dependencies: [
                darkroom("DarkroomCore"), darkroom("DarkroomGIF"), darkroom("DarkroomJPEG"), darkroom("DarkroomPNG"),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "PhotoWall",
            dependencies: [
                "CGTK", "DarkroomGTK", darkroom("DarkroomCaches"), darkroom("DarkroomCore"),
                darkroom("DarkroomTargets"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "PhotoWallProgram",
            dependencies: [
                "DarkroomGTK", "GeneratedPictures", "PhotoWall", darkroom("Darkroom"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Sources/photo-wall",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "PictureSoak",
            dependencies: [
                "DarkroomGTK", "GeneratedPictures", "PhotoWall", darkroom("DarkroomCaches"), darkroom("DarkroomCore"),
                darkroom("DarkroomGIF"), darkroom("DarkroomJPEG"), darkroom("DarkroomPNG"),
            ],
            path: "Sources/picture-soak",
            swiftSettings: swiftSettings),
        snippet("first-window"),
        snippet("picture-grid"),
        .testTarget(
            name: "DarkroomGTKTests",
            dependencies: [
                "CGTK", "DarkroomGTK", "GeneratedPictures", "PhotoWall", darkroom("DarkroomCaches"),
                darkroom("DarkroomCore"), darkroom("DarkroomGIF"), darkroom("DarkroomJPEG"), darkroom("DarkroomPNG"),
                darkroom("DarkroomTestKit"),
            ],
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
