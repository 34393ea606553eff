// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

let package = Package(
    name: "HEIFCoder",
    platforms: [.macOS(.v15)],
    products: [.library(name: "DarkroomHEIF", targets: ["DarkroomHEIF"])],
    dependencies: [
        // Outside this repository: .package(url: "…/Darkroom", from: "…", traits: [])
        .package(name: "Darkroom", path: "../../..", traits: []),
        .package(path: "../ItemFile"),
    ],
    targets: [
        .systemLibrary(name: "CHEIF", pkgConfig: "libheif", providers: [.apt(["libheif-dev"]), .brew(["libheif"])]),
        .target(
            name: "DarkroomHEIF",
            dependencies: [
                "CHEIF", .product(name: "DarkroomCore", package: "Darkroom"),
                .product(name: "DarkroomItemFile", package: "ItemFile"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DarkroomHEIFTests",
            dependencies: [
                "DarkroomHEIF",
                .product(name: "DarkroomCore", package: "Darkroom"),
                .product(name: "DarkroomPNG", package: "Darkroom"),
                .product(name: "DarkroomTestKit", package: "Darkroom"),
                .product(name: "DarkroomItemFileTestKit", package: "ItemFile"),
            ],
            exclude: ["Fixtures", "make-fixtures", "add-properties"],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
