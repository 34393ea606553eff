public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes stills and the first frame of animations, and writes stills with or without loss.
public struct WebPCoder: EncodingImageCoder {
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
            // Lossless pixels have an alpha even where the header denies it.
            if frame.features.isLossless, !container.hasAlpha { makeOpaque(&pixels) }
        }
    }

    /// Lossy, unless the context asks for `webPLossless`.
    public func encode(_ request: EncodeRequest) throws -> Data {
        let bitmap = try request.still()
        guard max(bitmap.size.width, bitmap.size.height) <= 16_383 else {
            throw ImageError(.unsupported, .encode, "a WebP cannot have \(bitmap.size) pixels, only 16383 a side")
        }
        let isLossless = request.context.webPLossless
        let quality = request.context.quality ?? 1
        guard (0...1).contains(quality) else {
            throw ImageError(.unsupported, .encode, "a quality of \(quality) is not between 0 and 1")
        }
        let encoding = try WebPEncoding(bitmap, isLossless: isLossless) { request.isCancelled }
        // Without loss, libwebp takes the quality for an effort: 0.75 is its default.
        return try encoding.data(quality: isLossless ? 0.75 : quality, method: request.context.webPMethod)
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
    unsafe pixels.withUnsafeMutableBytes { bytes in
        unsafe bytes.withMemoryRebound(to: UInt32.self) { pixels in
            for index in pixels.indices { unsafe pixels[index] |= UInt32(littleEndian: 0xFF00_0000) }
        }
    }
}
