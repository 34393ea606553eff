/// The size a picture is delivered at, never larger than the picture itself.
public struct Thumbnail: Hashable, Sendable {
    /// The bounds in pixels; finite. A side that is not positive asks for the full size.
    public let width, height: Double

    /// Whether the picture fits into the bounds, or is stretched to fill them.
    public let preservesAspectRatio: Bool

    /// Fits into `width` × `height` pixels, the aspect ratio kept.
    public static func fit(_ width: Double, _ height: Double) -> Thumbnail {
        Thumbnail(width: width, height: height, preservesAspectRatio: true)
    }

    /// Becomes `width` × `height` pixels, but no side larger than the picture's own.
    public static func stretch(_ width: Double, _ height: Double) -> Thumbnail {
        Thumbnail(width: width, height: height, preservesAspectRatio: false)
    }

    /// Sides that are not finite count as 0, which asks for the full size. They are rounded to the six decimals that stand in
    /// cache keys, so that one key has one size.
    public init(width: Double, height: Double, preservesAspectRatio: Bool = true) {
        self.width = width.roundedToSixDecimals
        self.height = height.roundedToSixDecimals
        self.preservesAspectRatio = preservesAspectRatio
    }

    /// The size that a picture of `size`, seen upright, is delivered at; a larger one only when it `mayEnlarge`.
    ///
    /// With the aspect ratio kept, the side that does not touch its bound is rounded up, so that it is never 0.
    /// The rule is that of SDWebImage's `scaledSizeWithImageSize:scaleSize:preserveAspectRatio:shouldScaleUp:`.
    public func size(for size: PixelSize, mayEnlarge: Bool = false) -> PixelSize {
        let (sourceWidth, sourceHeight) = (Double(size.width), Double(size.height))
        guard width > 0, height > 0, size.width > 0, size.height > 0 else { return size }
        guard mayEnlarge || sourceWidth > width || sourceHeight > height else { return size }
        var (newWidth, newHeight) = (width, height)
        if preservesAspectRatio {
            // Products of whole sides are exact, so the ceiling never sees a rounding error of a ratio.
            if sourceWidth * height > width * sourceHeight {
                newHeight = width * sourceHeight / sourceWidth
            } else {
                newWidth = height * sourceWidth / sourceHeight
            }
        }
        let bound = mayEnlarge ? PixelSize(.max, .max) : size
        return PixelSize(
            width: Int(exactly: newWidth.rounded(.up)).map { min(bound.width, $0) } ?? bound.width,
            height: Int(exactly: newHeight.rounded(.up)).map { min(bound.height, $0) } ?? bound.height
        )
    }
}

extension Thumbnail: CustomStringConvertible {
    /// The text that stands for it in cache keys: `Thumbnail({180.000000,120.000000},1)`.
    public var description: String {
        "Thumbnail({\(width.sixDecimals),\(height.sixDecimals)},\(preservesAspectRatio ? 1 : 0))"
    }
}

enum ThumbnailKey: ImageContextKey {
    static var defaultValue: Thumbnail? { nil }
    static func cacheKeyFragment(for value: Thumbnail?) -> String? { value?.description }
}

extension ImageContext {
    /// The size to deliver; `nil` for the size of the file.
    public var thumbnail: Thumbnail? {
        get { self[ThumbnailKey.self] }
        set { self[ThumbnailKey.self] = newValue }
    }
}
