public import DarkroomCore

/// Limits the size of an image, as `ImageContext.thumbnail` does.
///
/// In the first position, it is applied while decoding, and the pixels and the key equal those of
/// `ImageContext.thumbnail`.
public struct ThumbnailTransformer: ImageTransformer {
    private let thumbnail: Thumbnail

    /// Creates a transformer to the size of `thumbnail`.
    public init(_ thumbnail: Thumbnail) { self.thumbnail = thumbnail }

    /// The size and the mode, such as `Thumbnail({180.000000,120.000000},1)`.
    public var identifier: String { thumbnail.description }

    /// The thumbnail that decoding can apply instead.
    public var decodingThumbnail: Thumbnail? { thumbnail }

    /// Returns the size of the thumbnail, which never exceeds that of the image.
    public func largestSize(for size: PixelSize) -> PixelSize { thumbnail.size(for: size) }

    /// Returns the image scaled down and, with the mode `cover`, cropped; unchanged if it fits.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try bitmap.resized(
            to: thumbnail.scaledSize(for: bitmap.size), inLinearLight: thumbnail.inLinearLight,
            limits: request.context.limits, checkCancellation: request.checkCancellation
        ).cropped(to: thumbnail.size(for: bitmap.size), around: thumbnail.focus)
    }
}

extension ImageTransformer where Self == ThumbnailTransformer {
    /// Fits within `width` × `height` pixels, or stretches to them without the aspect ratio; never enlarges.
    public static func thumbnail(
        _ width: Double, _ height: Double, preservesAspectRatio: Bool = true
    ) -> ThumbnailTransformer {
        ThumbnailTransformer(Thumbnail(width: width, height: height, preservesAspectRatio: preservesAspectRatio))
    }

    /// Limits the size as `thumbnail` does, such as `.thumbnail(.cover(180, 120))`.
    public static func thumbnail(_ thumbnail: Thumbnail) -> ThumbnailTransformer { ThumbnailTransformer(thumbnail) }
}
