// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

func darkroom(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: "Darkroom\($0)", package: "Darkroom") }
}

let network = TargetDependencyCondition.when(traits: ["Network"])

// No trait, because the packages of the server would be fetched without it as well.
let hasServer = Context.environment["SERVER"] != nil
let server: [Package.Dependency] =
    hasServer
    ? [
        .package(name: "DarkroomServer", path: "../../Examples/Server", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    ] : []
let serverProducts: [Target.Dependency] =
    hasServer
    ? [
        .product(name: "Darkroom", package: "Darkroom"), .product(name: "ThumbnailServer", package: "DarkroomServer"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
    ] : []

// Separate from the other fuzzers, because it is compiled for testing: it calls parsers that are not public.
let package = Package(
    name: "Guided",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "Network", description: "Adds the targets of HTTP, S3 and Valkey, and compiles their clients.")
    ],
    dependencies: [
        .package(
            name: "Darkroom", path: "../..",
            traits: Set(["HTTP", "S3", "Valkey"].map { .trait(name: $0, condition: .when(traits: ["Network"])) }))
    ] + server,
    targets: [
        .executableTarget(
            name: "guided",
            dependencies: darkroom(
                "CacheKeyFilters", "Caches", "Color", "Core", "File", "Fleet", "GIF", "Isolation", "JPEG", "PNG",
                "TestKit", "Transformers", "WebP")
                + ["HTTP", "S3", "Valkey"].map {
                    .product(name: "Darkroom\($0)", package: "Darkroom", condition: network)
                } + serverProducts + ["CReference"],
            path: "Sources/Guided", swiftSettings: swiftSettings + (hasServer ? [.define("Server")] : [])),
        .target(name: "CReference", linkerSettings: [.linkedLibrary("png16")]),
    ],
    swiftLanguageModes: [.v6]
)
