/// The smaller size at which a still is decoded because the first transformer of its request needs no more pixels.
///
/// It has twice as many pixels per side as the transformer needs, so that the result differs little from that of the full
/// size: the transformer still filters, and can place the image between two pixels. If the transformer blends light, it has
/// four times as many, because the pixels of the smaller bitmap are not blended in linear light.
struct Reduction: Hashable, Sendable {
    /// The bounds of the decoded image.
    let bounds: Thumbnail

    /// The number of pixels of an image below which decoding all of them costs too little to change any.
    private static let minimumPixelCount = 1 << 16

    /// Creates the reduction for a transformer that needs the pixels of `thumbnail`.
    init(to thumbnail: Thumbnail) {
        let factor: Double = thumbnail.inLinearLight ? 4 : 2
        bounds = Thumbnail(width: thumbnail.width * factor, height: thumbnail.height * factor, mode: thumbnail.mode)
    }

    /// Returns the upright size at which an image with the header `info` is decoded; `nil` for its full size, because little
    /// would be gained.
    ///
    /// Frames of animations are drawn at full size anyway.
    func size(for info: ImageInfo, context: ImageContext) -> PixelSize? {
        guard info.frameCount == 1 || context.usesFirstFrameOnly, !info.isScalable,
            info.size.pixelCount >= Self.minimumPixelCount
        else { return nil }
        let size = bounds.scaledSize(for: info.size)
        let isMuchSmaller = size.width <= info.size.width / 4 * 3 && size.height <= info.size.height / 4 * 3
        return isMuchSmaller ? size : nil
    }
}

extension Reduction: CustomStringConvertible {
    /// The part of the key of a decode that distinguishes it from others of the same image.
    var description: String { "Reduction(\(bounds))" }
}

extension Request {
    /// The reduction with which the image may be decoded; `nil` if all pixels are needed: by the transformers, or in
    /// a cache of decoded originals.
    var reduction: Reduction? {
        guard context.thumbnail == nil, context.scaleDownByteCount == nil,
            let thumbnail = context.transformers.first?.sufficientThumbnail, thumbnail.width > 0, thumbnail.height > 0,
            !CacheTiers(writtenBy: self).contains(.decodedOriginals)
        else { return nil }
        return Reduction(to: thumbnail)
    }
}
