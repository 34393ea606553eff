// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

let package = Package(
    name: "AVIFCoder",
    platforms: [.macOS(.v15)],
    products: [.library(name: "DarkroomAVIF", targets: ["DarkroomAVIF"])],
    dependencies: [
        // Outside this repository: .package(url: "…/Darkroom", from: "…", traits: [])
        .package(name: "Darkroom", path: "../../..", traits: []),
        .package(path: "../ItemFile"),
    ],
    targets: [
        // Without `pkgConfig`: libavif 0.11's file contains a flag that SwiftPM warns about. The module map links the library.
        .systemLibrary(name: "CAVIF", providers: [.apt(["libavif-dev"]), .brew(["libavif"])]),
        .target(
            name: "DarkroomAVIF",
            dependencies: [
                "CAVIF", .product(name: "DarkroomCore", package: "Darkroom"),
                .product(name: "DarkroomItemFile", package: "ItemFile"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DarkroomAVIFTests",
            dependencies: [
                "DarkroomAVIF",
                .product(name: "DarkroomCore", package: "Darkroom"),
                .product(name: "DarkroomPNG", package: "Darkroom"),
                .product(name: "DarkroomTestKit", package: "Darkroom"),
                .product(name: "DarkroomVisualQuality", package: "Darkroom"),
                .product(name: "DarkroomItemFileTestKit", package: "ItemFile"),
            ],
            exclude: ["Fixtures", "make-fixtures"],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
