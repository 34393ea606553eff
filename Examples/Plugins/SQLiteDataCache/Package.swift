// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

let package = Package(
    name: "SQLiteDataCache",
    platforms: [.macOS(.v15)],
    products: [.library(name: "DarkroomSQLite", targets: ["DarkroomSQLite"])],
    dependencies: [
        // Outside this repository: .package(url: "…/Darkroom", from: "…", traits: [])
        .package(name: "Darkroom", path: "../../..", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "DarkroomSQLite",
            dependencies: [
                .product(name: "DarkroomCore", package: "Darkroom"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DarkroomSQLiteTests",
            dependencies: [
                "DarkroomSQLite",
                .product(name: "DarkroomCore", package: "Darkroom"),
                .product(name: "DarkroomTestKit", package: "Darkroom"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
