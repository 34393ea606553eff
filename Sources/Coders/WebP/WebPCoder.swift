public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes stills and the first frame of animations.
public struct WebPCoder: ImageCoder {
    /// A coder; all are alike.
    public init() {}

    /// WebP alone.
    public var formats: [ImageFormat] { [.webp] }

    /// Reads the headers of all chunks.
    ///
    /// A file whose orientation comes behind its pixels is `incomplete` without it.
    public func info(of data: Data) throws -> ImageInfo {
        let container = try WebPContainer(data)
        var info = ImageInfo(format: .webp, storedSize: container.size)
        info.orientation = container.orientation
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
        let container = try WebPContainer(request.data)
        let frame = try container.firstFrame
        guard frame.isComplete else { throw ImageError.endOfWebP }
        guard container.isAnimated || frame.size == container.size else {
            throw ImageError(.corrupt, .decode, "the WebP's picture is not as large as its canvas")
        }
        let size = container.decodedSize(for: request.target, frame)
        let limits = request.context.limits
        try limits.check(decodedByteCount: (size.byteCount ?? .max / 2) + frame.features.workingByteCount)
        return try Bitmap(size, hasAlpha: container.hasAlpha, limits: limits) { pixels in
            try frame.decode(
                to: &pixels, canvas: size, isScaled: size != container.size,
                checkCancellation: request.checkCancellation)
            // Lossless pixels have alpha even where the header denies it.
            if frame.features.isLossless, !container.hasAlpha { makeOpaque(&pixels) }
        }
    }
}

extension WebPContainer {
    /// The size to decode at, which Core then makes exact: twice `target`, if libwebp scales such pixels well.
    fileprivate func decodedSize(for target: PixelSize, _ frame: WebPFrame) -> PixelSize {
        // Lossy colours are scaled regardless of their alpha: those of transparent pixels would bleed into the others.
        guard !isAnimated, frame.features.isLossless || !frame.hasAlpha else { return size }
        return PixelSize(min(size.width, 2 * target.width), min(size.height, 2 * target.height))
    }
}

private func makeOpaque(_ pixels: inout MutableSpan<UInt8>) {
    for alpha in stride(from: 3, to: pixels.count, by: 4) { pixels[alpha] = 255 }
}
