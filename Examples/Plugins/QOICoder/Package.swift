// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

let package = Package(
    name: "QOICoder",
    platforms: [.macOS(.v15)],
    products: [.library(name: "DarkroomQOI", targets: ["DarkroomQOI"])],
    dependencies: [
        // Outside this repository: .package(url: "…/Darkroom", from: "…", traits: [])
        .package(name: "Darkroom", path: "../../..", traits: [])
    ],
    targets: [
        .target(
            name: "DarkroomQOI",
            dependencies: [.product(name: "DarkroomCore", package: "Darkroom")],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DarkroomQOITests",
            dependencies: [
                "DarkroomQOI",
                .product(name: "DarkroomCore", package: "Darkroom"),
                .product(name: "DarkroomPNG", package: "Darkroom"),
                .product(name: "DarkroomTestKit", package: "Darkroom"),
            ],
            exclude: ["Fixtures", "make-fixtures"],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
