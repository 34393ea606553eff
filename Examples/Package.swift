// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
]

let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")

let package = Package(
    name: "DarkroomExamples",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "darkroom", targets: ["DarkroomCommand"]),
        .executable(name: "darkroom-demo", targets: ["DarkroomDemo"]),
    ],
    dependencies: [
        .package(name: "Darkroom", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    ],
    targets: [
        // Not named as its product: where letter case does not count, `darkroom` and `Darkroom` are one module.
        .executableTarget(
            name: "DarkroomCommand",
            dependencies: [
                .product(name: "Darkroom", package: "Darkroom"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/darkroom",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "DarkroomDemo",
            dependencies: [hummingbird],
            path: "Sources/darkroom-demo",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DarkroomCommandTests",
            dependencies: ["DarkroomCommand", hummingbird],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
