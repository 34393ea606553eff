// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

let package = Package(
    name: "JPEGXLCoder",
    platforms: [.macOS(.v15)],
    products: [.library(name: "DarkroomJPEGXL", targets: ["DarkroomJPEGXL"])],
    dependencies: [
        // Outside this repository: .package(url: "…/Darkroom", from: "…", traits: [])
        .package(name: "Darkroom", path: "../../..", traits: [])
    ],
    targets: [
        // Without `pkgConfig`: libjxl's file contains a flag that SwiftPM warns about. The module map links the library.
        .systemLibrary(name: "CJXL", providers: [.apt(["libjxl-dev"]), .brew(["jpeg-xl"])]),
        .target(
            name: "DarkroomJPEGXL",
            dependencies: ["CJXL", .product(name: "DarkroomCore", package: "Darkroom")],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DarkroomJPEGXLTests",
            dependencies: [
                "DarkroomJPEGXL",
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
