// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

let package = Package(
    name: "ItemFile",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "DarkroomItemFile", targets: ["DarkroomItemFile"]),
        .library(name: "DarkroomItemFileTestKit", targets: ["DarkroomItemFileTestKit"]),
    ],
    dependencies: [
        // Outside this repository: .package(url: "…/Darkroom", from: "…", traits: [])
        .package(name: "Darkroom", path: "../../..", traits: [])
    ],
    targets: [
        .target(
            name: "DarkroomItemFile",
            dependencies: [.product(name: "DarkroomCore", package: "Darkroom")],
            swiftSettings: swiftSettings
        ),
        .target(name: "DarkroomItemFileTestKit", swiftSettings: swiftSettings),
        .testTarget(
            name: "DarkroomItemFileTests",
            dependencies: [
                "DarkroomItemFile", "DarkroomItemFileTestKit",
                .product(name: "DarkroomCore", package: "Darkroom"),
            ],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
