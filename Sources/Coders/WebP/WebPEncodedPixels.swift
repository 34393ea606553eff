import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The pixels of one picture as a WebP has them.
struct WebPEncodedPixels {
    /// A file that has nothing but the pixels.
    let file: Data

    /// The chunks of the pixels, padded.
    let chunks: Data

    /// Whether some pixel is not opaque.
    let hasAlpha: Bool

    /// Encodes `bitmap`; with a bound as well as is possible in so many bytes of `chunks`, or else as small.
    init(_ bitmap: Bitmap, _ configuration: WebPConfiguration, byteBound: Int?, _ request: EncodeRequest) throws {
        var configuration = configuration
        // libwebp leaves lossless pixels as large as they are.
        let bound = configuration.options.lossless ? nil : byteBound.map { max($0, 1) }
        if let bound { configuration.targetByteCount = bound }
        var best = try Self(bitmap, configuration, request)
        // libwebp comes near the size it is given, from above or from below.
        for _ in 0..<3 where best.chunks.count > bound ?? .max {
            guard let target = configuration.targetByteCount, let bound, target > 1 else { break }
            configuration.targetByteCount = max(1, min(target - 1, target * bound / best.chunks.count))
            let next = try Self(bitmap, configuration, request)
            if next.chunks.count < best.chunks.count { best = next }
        }
        self = best
    }

    private init(_ bitmap: Bitmap, _ configuration: WebPConfiguration, _ request: EncodeRequest) throws {
        try request.checkCancellation()
        file = try WebPEncoding(bitmap, configuration, request).file()
        let frame = try WebPContainer(InfoRequest(data: file)).firstFrame
        let pixels = file[frame.pixels]
        chunks = pixels.count % 2 == 0 ? pixels : pixels + [0]
        hasAlpha = frame.hasAlpha
    }
}
