// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

let package = Package(
    name: "BlurHash",
    platforms: [.macOS(.v15)],
    products: [.library(name: "DarkroomBlurHash", targets: ["DarkroomBlurHash"])],
    dependencies: [
        // Outside this repository: .package(url: "…/Darkroom", from: "…", traits: [])
        .package(name: "Darkroom", path: "../../..", traits: [])
    ],
    targets: [
        .target(
            name: "DarkroomBlurHash",
            dependencies: [.product(name: "DarkroomCore", package: "Darkroom")],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DarkroomBlurHashTests",
            dependencies: [
                "DarkroomBlurHash",
                .product(name: "DarkroomCore", package: "Darkroom"),
                .product(name: "DarkroomPNG", package: "Darkroom"),
                .product(name: "DarkroomTargets", package: "Darkroom"),
                .product(name: "DarkroomTestKit", package: "Darkroom"),
            ],
            exclude: ["Fixtures", "make-fixtures"],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
