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
    ],
    targets: [
        .executableTarget(
            name: "guided",
            dependencies: darkroom(
                "CacheKeyFilters", "Caches", "Color", "Core", "File", "Fleet", "GIF", "JPEG", "PNG", "TestKit",
                "Transformers", "WebP")
                + ["HTTP", "S3", "Valkey"].map {
                    .product(name: "Darkroom\($0)", package: "Darkroom", condition: network)
                } + ["CReference"],
            path: "Sources/Guided", swiftSettings: swiftSettings),
        .target(name: "CReference", linkerSettings: [.linkedLibrary("png16")]),
    ],
    swiftLanguageModes: [.v6]
)
