public import DarkroomCore
public import DarkroomPlatform

/// A WebP coder: lossy, lossless and animated, with progressive decoding.
public struct WebPCoder: AnimatedImageCoder, ProgressiveImageCoder, EncodingImageCoder {
    /// Creates a coder.
    public init() {}

    /// Only WebP.
    public var formats: [ImageFormat] { [.webp] }

    /// Reads the headers of all chunks. A truncated or damaged animation has the frames before that.
    ///
    /// A file that announces an orientation is `incomplete` until it arrives, possibly after the pixels. It throws an
    /// `ImageError` of kind `overLimit` if there are more frames than `limits.frameCount`, or more other chunks than
    /// `limits.segmentCount`.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        let container = try WebPContainer(request)
        request.cacheOutline(container)
        var info = ImageInfo(format: .webp, storedSize: container.size)
        info.exif = container.exif
        info.orientation = container.exif?.orientation ?? .up
        container.metadata.complete(&info)
        info.hasAlpha = container.hasAlpha
        info.iccProfile = container.iccProfile
        info.frameCount = max(container.frameDurations.count, 1)
        if info.frameCount > 1 {
            info.loopCount = container.loopCount
            info.frameDurations = container.frameDurations
        }
        return info
    }

    /// Decodes the still, or the first frame on its canvas. The area that the frame does not cover is transparent.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        let container = try request.outline { try WebPContainer($0) }
        let bitmap: Bitmap
        if container.isAnimated {
            bitmap = try container.firstFrameBitmap(of: request.data, for: request)
        } else {
            let image = try WebPStoredImage(still: container, target: request.target)
            try request.context.limits.check(decodedByteCount: image.decodedByteCount)
            bitmap = try image.bitmap(from: request.data, for: request)
        }
        container.noteTruncation(for: request)
        return bitmap
    }

    /// Returns a decoder of the frames as they look on the canvas. The stored background colour is ignored.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        let container = try WebPContainer(
            request.headerRequest(of: request.data), maximumFrameCount: request.info.frameCount)
        return try container.frameDecoder(of: request.data, for: request)
    }

    /// Returns a decoder that previews the available rows of a still, or the first frame of an animation when it is
    /// complete.
    public func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        // A copy, whose indices match the bytes to come: the data may be a slice.
        let container = try WebPContainer(request.headerRequest(of: Data(request.data)))
        return container.isAnimated
            ? WebPAnimationPreviewDecoder(for: request, container: container)
            : try WebPStillPreviewDecoder(for: request, container: container)
    }

    /// Encodes the image or animation, lossily unless the context sets `writesLosslessWebP` or a near-lossless level.
    public func encode(_ request: EncodeRequest) throws -> Data {
        try request.check(ranges(of: request.format))
        return try WebPFileEncoder(request).file()
    }

    /// Always: libwebp has a target size, which is shared out among the frames of an animation.
    public func observesByteLimit(of format: ImageFormat) -> Bool { true }

    /// Up to 65,535 plays, and up to 16,777.215 seconds for a frame.
    public func ranges(of format: ImageFormat) -> EncodingRanges {
        EncodingRanges(loopCount: 0...65_535, frameDuration: .zero ... .milliseconds(16_777_215))
    }
}

extension WebPCoder: SignatureCoder {}
