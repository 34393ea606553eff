/// The size at which an image is delivered. It never exceeds the size of the image itself.
public struct Thumbnail: Hashable, Sendable {
    /// The finite bounds in pixels. A side of 0 or less requests the full size.
    public let width, height: Double

    /// Whether the image is scaled to fit within the bounds, instead of being stretched to fill them.
    public let preservesAspectRatio: Bool

    /// Returns a thumbnail that fits within `width` × `height` pixels and preserves the aspect ratio.
    public static func fit(_ width: Double, _ height: Double) -> Thumbnail {
        Thumbnail(width: width, height: height, preservesAspectRatio: true)
    }

    /// Returns a thumbnail stretched to `width` × `height` pixels, with no side larger than that of the image.
    public static func stretch(_ width: Double, _ height: Double) -> Thumbnail {
        Thumbnail(width: width, height: height, preservesAspectRatio: false)
    }

    /// Creates a thumbnail. Sides that are not finite become 0, which requests the full size. Sides are rounded to the
    /// six decimals of cache keys, so that equal keys have equal sizes.
    public init(width: Double, height: Double, preservesAspectRatio: Bool = true) {
        self.width = width.roundedToSixDecimals
        self.height = height.roundedToSixDecimals
        self.preservesAspectRatio = preservesAspectRatio
    }

    /// Returns the size at which an upright image of `size` is delivered. It exceeds `size` only if `mayEnlarge` is
    /// true.
    ///
    /// If the aspect ratio is preserved, the side that does not touch its bound is rounded up, so it is never 0. The
    /// rule is that of SDWebImage's `scaledSizeWithImageSize:scaleSize:preserveAspectRatio:shouldScaleUp:`.
    public func size(for size: PixelSize, mayEnlarge: Bool = false) -> PixelSize {
        let (sourceWidth, sourceHeight) = (Double(size.width), Double(size.height))
        guard width > 0, height > 0, size.width > 0, size.height > 0 else { return size }
        guard mayEnlarge || sourceWidth > width || sourceHeight > height else { return size }
        var (newWidth, newHeight) = (width, height)
        if preservesAspectRatio {
            // Products of integers are exact here, so rounding up never amplifies the rounding error of a ratio.
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
    /// The cache key fragment, such as `Thumbnail({180.000000,120.000000},1)`.
    public var description: String {
        "Thumbnail({\(width.sixDecimals),\(height.sixDecimals)},\(preservesAspectRatio ? 1 : 0))"
    }
}

enum ThumbnailKey: ImageContextKey {
    static var defaultValue: Thumbnail? { nil }
    static func cacheKeyFragment(for value: Thumbnail?) -> String? { value?.description }
}

extension ImageContext {
    /// The size at which the image is delivered; `nil` for its full size.
    public var thumbnail: Thumbnail? {
        get { self[ThumbnailKey.self] }
        set { self[ThumbnailKey.self] = newValue }
    }
}
