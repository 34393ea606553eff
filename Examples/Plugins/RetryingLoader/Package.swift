// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

let package = Package(
    name: "RetryingLoader",
    platforms: [.macOS(.v15)],
    products: [.library(name: "DarkroomRetrying", targets: ["DarkroomRetrying"])],
    dependencies: [
        // Outside this repository: .package(url: "…/Darkroom", from: "…", traits: [])
        .package(name: "Darkroom", path: "../../..", traits: [])
    ],
    targets: [
        .target(
            name: "DarkroomRetrying",
            dependencies: [.product(name: "DarkroomCore", package: "Darkroom")],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DarkroomRetryingTests",
            dependencies: [
                "DarkroomRetrying",
                .product(name: "DarkroomCore", package: "Darkroom"),
                .product(name: "DarkroomTestKit", package: "Darkroom"),
            ],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
