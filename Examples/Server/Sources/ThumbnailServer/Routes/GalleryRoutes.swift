import Darkroom
import HTTPTypes
public import Hummingbird
import NIOCore
import ServerPlatform

/// `GET /`: a page that shows the sample images, and its resources. It requests unsigned paths.
public struct GalleryRoutes: Sendable {
    private let settings: ThumbnailSettings
    private let showsMetrics: Bool
    private let samples: SampleList

    /// The data that the page requests as `gallery.json`.
    private struct Contents: Encodable {
        let mount: String
        let samples: [String]
        let presets: [String]
        let formats: [String]
        let showsMetrics: Bool
    }

    /// Creates routes for the samples and presets of `settings`. With `showsMetrics`, the page shows those at `/metrics`.
    public init(_ settings: ThumbnailSettings, showsMetrics: Bool = true) {
        self.settings = settings
        self.showsMetrics = showsMetrics
        samples = SampleList(of: settings.sources.sampleFolder)
    }

    /// Adds the routes to `router`.
    public func add(to router: some RouterMethods<some RequestContext>) {
        router.get("/") { _, _ in Self.file(PackageResources.index_html, type: "text/html") }
        router.get("gallery.css") { _, _ in Self.file(PackageResources.gallery_css, type: "text/css") }
        router.get("gallery.js") { _, _ in Self.file(PackageResources.gallery_js, type: "text/javascript") }
        router.get("gallery.json") { _, _ in
            let contents = Contents(
                mount: settings.mountPath, samples: await samples.names(),
                presets: settings.presets.keys.sorted(),
                formats: settings.formats.filter(ImageFormat.written.contains).map(\.fileExtension),
                showsMetrics: showsMetrics)
            return Self.file(Array(try JSONEncoder().encode(contents)), type: "application/json")
        }
    }

    private static func file(_ bytes: [UInt8], type: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "\(type); charset=utf-8", .cacheControl: "no-cache",
                .contentSecurityPolicy:
                    "default-src 'self'; img-src 'self' blob: data:; base-uri 'none'; frame-ancestors 'none'",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
