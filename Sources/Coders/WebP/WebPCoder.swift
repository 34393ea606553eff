public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads and writes WebP: lossy, lossless and animated, and shows it while it is loaded.
public struct WebPCoder: AnimatedImageCoder, ProgressiveImageCoder, EncodingImageCoder {
    /// A coder; all are alike.
    public init() {}

    /// WebP alone.
    public var formats: [ImageFormat] { [.webp] }

    /// Reads the headers of all chunks. An animation that is cut has the frames that are all there.
    ///
    /// A file whose orientation comes behind its pixels is `incomplete` without it. More frames than `limits.frameCount`,
    /// and more other chunks than `limits.segmentCount`, are an error of kind `overLimit`.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        let container = try WebPContainer(request)
        request.keep(container)
        var info = ImageInfo(format: .webp, storedSize: container.size)
        info.exif = container.exif
        info.orientation = container.exif?.orientation ?? .up
        info.hasAlpha = container.hasAlpha
        info.iccProfile = container.iccProfile
        info.frameCount = max(container.frameDurations.count, 1)
        if info.frameCount > 1 {
            info.loopCount = container.loopCount
            info.frameDurations = container.frameDurations
        }
        return info
    }

    /// The still, or the first frame on its canvas; what the frame does not cover is transparent.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        let container = try request.outline { try WebPContainer($0) }
        guard !container.isAnimated else { return try container.firstPicture(request.data, request) }
        let picture = try WebPStoredPicture(still: container, target: request.target)
        try request.context.limits.check(decodedByteCount: picture.decodedByteCount)
        return try picture.bitmap(from: request.data, request)
    }

    /// The frames as they look on the canvas, whose stored background is ignored.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        let container = try WebPContainer(request.headerRequest(of: request.data), frameBound: request.info.frameCount)
        return try container.frameDecoder(request.data, request)
    }

    /// Shows the rows of a still that are there by now, or the first frame of an animation as soon as it is complete.
    public func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        // A copy, whose indices are those of the bytes to come: the data may be part of other data.
        let container = try WebPContainer(request.headerRequest(of: Data(request.data)))
        return container.isAnimated
            ? WebPAnimationPreviews(request, container) : try WebPStillPreviews(request, container)
    }

    /// Lossy, unless the context asks for `webPLossless`; an animation as such.
    public func encode(_ request: EncodeRequest) throws -> Data {
        try WebPFileEncoding(request).file()
    }
}
