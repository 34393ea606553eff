import DarkroomCore
import DarkroomPlatform

/// The encoded pixels of one image.
struct WebPEncodedPixels {
    /// A complete file that contains only the pixels.
    let file: Data

    /// The chunks of the pixels, padded.
    let chunks: Data

    /// Whether any pixel is not opaque.
    let hasAlpha: Bool

    /// Encodes `bitmap`. With a `byteLimit`, `chunks` gets the best quality that fits, but no better one than the context
    /// sets, or else the smallest size.
    init(_ bitmap: Bitmap, configuration: WebPConfiguration, byteLimit: Int?, request: EncodeRequest) throws {
        var configuration = configuration
        // libwebp does not reduce the size of lossless pixels.
        let bound = configuration.isLossless ? nil : byteLimit.map { max($0, 1) }
        if bound == nil || request.context.quality != nil || request.context.encoderQuality != nil {
            let wanted = try Self(bitmap, configuration: configuration, request: request)
            guard wanted.chunks.count > bound ?? .max else {
                self = wanted
                return
            }
        }
        configuration.targetByteCount = bound
        var best = try Self(bitmap, configuration: configuration, request: request)
        // libwebp's result may be somewhat above or below its target size.
        for _ in 0..<3 where best.chunks.count > bound ?? .max {
            guard let target = configuration.targetByteCount, let bound, target > 1 else { break }
            configuration.targetByteCount = max(1, min(target - 1, target * bound / best.chunks.count))
            let next = try Self(bitmap, configuration: configuration, request: request)
            if next.chunks.count < best.chunks.count { best = next }
        }
        self = best
    }

    private init(_ bitmap: Bitmap, configuration: WebPConfiguration, request: EncodeRequest) throws {
        try request.checkCancellation()
        file = try WebPEncoder(bitmap, configuration: configuration, request: request).file()
        let frame = try WebPContainer(InfoRequest(data: file)).firstFrame
        let pixels = file[frame.pixels]
        chunks = pixels.count % 2 == 0 ? pixels : pixels + [0]
        hasAlpha = frame.hasAlpha
    }
}
