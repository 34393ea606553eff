// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

let package = Package(
    name: "SVGCoder",
    platforms: [.macOS(.v15)],
    products: [.library(name: "DarkroomSVG", targets: ["DarkroomSVG"])],
    dependencies: [
        // Outside this repository: .package(url: "…/Darkroom", from: "…", traits: [])
        .package(name: "Darkroom", path: "../../..", traits: [])
    ],
    targets: [
        .systemLibrary(
            name: "CRSVG", pkgConfig: "librsvg-2.0", providers: [.apt(["librsvg2-dev"]), .brew(["librsvg"])]),
        .target(
            name: "DarkroomSVG",
            dependencies: ["CRSVG", .product(name: "DarkroomCore", package: "Darkroom")],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DarkroomSVGTests",
            dependencies: [
                "DarkroomSVG",
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
