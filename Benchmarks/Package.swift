// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

// As in the package of the library: what Scripts/check-benchmarks runs is optimised in debug builds, too.
let optimized: [SwiftSetting] =
    Context.environment["DARKROOM_FROM_SCRATCH"] == "tests"
    ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []

func darkroom(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "Darkroom") }
}

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        // All traits, in the order of the other packages of this repository, so that it is compiled once for all:
        // Scripts/traits.
        .package(name: "Darkroom", path: "..", traits: ["HTTP", "Observability", "S3", "Valkey"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .target(
            name: "CReference",
            linkerSettings: ["png16", "jpeg", "gif", "webp", "webpdemux"].map { .linkedLibrary($0) }),
        .target(name: "CAllocations"),
        .target(
            name: "Photograph",
            dependencies: darkroom("DarkroomCore", "DarkroomPNG", "DarkroomJPEG", "DarkroomGIF", "DarkroomWebP"),
            swiftSettings: swiftSettings + optimized),
        // Depends on nothing of HTTP, so that Scripts/check-benchmarks alone compiles only the library for it.
        .executableTarget(
            name: "allocations",
            dependencies: ["CAllocations", "Photograph"]
                + darkroom("DarkroomCore", "DarkroomCaches", "DarkroomTransformers"),
            path: "Sources/Allocations",
            swiftSettings: swiftSettings + optimized),
        .executableTarget(
            name: "ratios",
            dependencies: ["CReference", "Photograph"] + darkroom("DarkroomCore"),
            path: "Sources/Ratios",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "frames",
            dependencies: ["CReference", "Photograph"] + darkroom("DarkroomCore"),
            path: "Sources/Frames",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "hits",
            dependencies: ["CReference"] + darkroom("DarkroomCore", "DarkroomCaches"),
            path: "Sources/Hits",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "busy-hits",
            dependencies: ["Photograph"] + darkroom("DarkroomCore", "DarkroomCaches"),
            path: "Sources/BusyHits",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "hit-ratios",
            dependencies: darkroom("DarkroomCore", "DarkroomCaches", "DarkroomTestKit"),
            path: "Sources/HitRatios",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "previews",
            dependencies: ["Photograph"] + darkroom("DarkroomCore"),
            path: "Sources/Previews",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "isolation",
            dependencies: ["Photograph"] + darkroom("DarkroomColor", "DarkroomCore", "DarkroomIsolation"),
            path: "Sources/Isolation",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "jpeg-thumbnails",
            dependencies: ["Photograph"] + darkroom("DarkroomCore", "DarkroomJPEG"),
            path: "Sources/JPEGThumbnails",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "png-pictures",
            dependencies: ["CReference", "Photograph"] + darkroom("DarkroomCore", "DarkroomPNG"),
            path: "Sources/PNGPictures",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "resizing",
            dependencies: ["Photograph"] + darkroom("DarkroomCore"),
            path: "Sources/Resizing",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "thumbnails",
            dependencies: ["Photograph"] + darkroom("DarkroomCore"),
            path: "Sources/Thumbnails",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "peer-rows",
            dependencies: ["Photograph"]
                + darkroom("DarkroomCore", "DarkroomWebP", "DarkroomPNG", "DarkroomTransformers", "DarkroomTestKit"),
            path: "Sources/PeerRows",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "loads",
            dependencies: ["Photograph", .product(name: "AsyncHTTPClient", package: "async-http-client")]
                + darkroom("DarkroomCore", "DarkroomCaches", "DarkroomHTTP", "DarkroomTestKit"),
            path: "Sources/Loads",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "http-cache-client",
            dependencies: darkroom("DarkroomCore", "DarkroomCaches", "DarkroomHTTP"),
            path: "Sources/HTTPCacheClient",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "picture-origin",
            dependencies: [
                "Photograph",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ] + darkroom("DarkroomCore"),
            path: "Sources/PictureOrigin",
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
