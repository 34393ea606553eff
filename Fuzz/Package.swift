// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

let coders: [Target.Dependency] = [
    "DarkroomCore", "DarkroomPNG", "DarkroomJPEG", "DarkroomGIF", "DarkroomWebP",
].map { .product(name: $0, package: "Darkroom") }

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Darkroom", path: "..", traits: [])],
    targets: [
        .executableTarget(
            name: "mutate", dependencies: [.product(name: "DarkroomTestKit", package: "Darkroom")] + coders,
            path: "Sources/Mutate", swiftSettings: swiftSettings),
        .executableTarget(
            name: "torture", dependencies: [.product(name: "DarkroomTestKit", package: "Darkroom")] + coders,
            path: "Sources/Torture", swiftSettings: swiftSettings),
        .executableTarget(
            name: "dump-frames", dependencies: coders, path: "Sources/DumpFrames", swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
