/// The size at which an image is delivered. It never exceeds the size of the image itself.
public struct Thumbnail: Hashable, Sendable {
    /// The ways to meet the bounds.
    public enum Mode: Hashable, Sendable {
        /// Scales the image to fit within the bounds, and preserves the aspect ratio.
        case fit
        /// Scales the image to the bounds, whatever its aspect ratio.
        case stretch
        /// Scales the image to cover the bounds, preserves the aspect ratio, and crops what is outside, around the focus.
        case cover
    }

    /// The finite bounds in pixels. A side of 0 or less requests the full size.
    public let width, height: Double

    /// The way in which the image meets the bounds.
    public let mode: Mode

    /// The point of the image that mode ``Mode/cover`` keeps as near to the centre as its edges allow; the centre in other
    /// modes.
    public let focus: Focus

    /// Whether pixels are blended in linear light, which preserves the brightness of fine patterns of light and dark.
    public let inLinearLight: Bool

    /// Whether the image is scaled by the same factor in both directions.
    public var preservesAspectRatio: Bool { mode != .stretch }

    /// Returns a thumbnail that fits within `width` × `height` pixels and preserves the aspect ratio.
    public static func fit(_ width: Double, _ height: Double, inLinearLight: Bool = false) -> Thumbnail {
        Thumbnail(width: width, height: height, mode: .fit, inLinearLight: inLinearLight)
    }

    /// Returns a thumbnail that is at most `width` pixels wide, whatever its height, and preserves the aspect ratio.
    public static func fit(width: Double, inLinearLight: Bool = false) -> Thumbnail {
        fit(width, unbounded, inLinearLight: inLinearLight)
    }

    /// Returns a thumbnail that is at most `height` pixels high, whatever its width, and preserves the aspect ratio.
    public static func fit(height: Double, inLinearLight: Bool = false) -> Thumbnail {
        fit(unbounded, height, inLinearLight: inLinearLight)
    }

    /// Longer than any side of an image.
    static let unbounded = Double(Int32.max)

    /// Returns a thumbnail stretched to `width` × `height` pixels, with no side larger than that of the image.
    public static func stretch(_ width: Double, _ height: Double) -> Thumbnail {
        Thumbnail(width: width, height: height, mode: .stretch)
    }

    /// Returns a thumbnail of exactly `width` × `height` pixels: the image scaled down to cover them, and cropped around
    /// `focus`. It preserves the aspect ratio.
    ///
    /// An image with a side shorter than its bound is only cropped, because a thumbnail is never enlarged; the transformer
    /// `.resize(width, height, .cover)` enlarges it.
    public static func cover(
        _ width: Double, _ height: Double, focus: Focus = .center, inLinearLight: Bool = false
    ) -> Thumbnail {
        Thumbnail(width: width, height: height, mode: .cover, focus: focus, inLinearLight: inLinearLight)
    }

    /// Creates a thumbnail that fits within its bounds, or is stretched to them.
    ///
    /// Sides that are not finite become 0, which requests the full size. Sides are rounded to the six decimals of cache
    /// keys, so that equal keys have equal sizes.
    public init(width: Double, height: Double, preservesAspectRatio: Bool = true) {
        self.init(width: width, height: height, mode: preservesAspectRatio ? .fit : .stretch)
    }

    /// Creates a thumbnail. Sides are treated as by ``init(width:height:preservesAspectRatio:)``. `focus` is used in mode
    /// ``Mode/cover`` only.
    public init(
        width: Double, height: Double, mode: Mode, focus: Focus = .center, inLinearLight: Bool = false
    ) {
        self.width = width.isFinite ? width.roundedToSixDecimals : 0
        self.height = height.isFinite ? height.roundedToSixDecimals : 0
        self.mode = mode
        self.focus = mode == .cover ? focus : .center
        self.inLinearLight = inLinearLight
    }

    /// Returns the size at which an upright image of `size` is delivered. It exceeds `size` only if `mayEnlarge` is
    /// true.
    ///
    /// If the aspect ratio is preserved, the side that does not touch its bound is rounded up, so it is never 0. The
    /// rule is that of SDWebImage's `scaledSizeWithImageSize:scaleSize:preserveAspectRatio:shouldScaleUp:`.
    public func size(for size: PixelSize, mayEnlarge: Bool = false) -> PixelSize {
        let scaled = scaledSize(for: size, mayEnlarge: mayEnlarge)
        guard mode == .cover, width > 0, height > 0 else { return scaled }
        return PixelSize(
            width: min(scaled.width, Self.wholePixels(width) ?? .max),
            height: min(scaled.height, Self.wholePixels(height) ?? .max))
    }

    /// Returns the size to which an upright image of `size` is scaled, before ``Mode/cover`` crops it.
    package func scaledSize(for size: PixelSize, mayEnlarge: Bool = false) -> PixelSize {
        let (sourceWidth, sourceHeight) = (Double(size.width), Double(size.height))
        guard width > 0, height > 0, size.width > 0, size.height > 0 else { return size }
        guard mayEnlarge || sourceWidth > width || sourceHeight > height else { return size }
        var (newWidth, newHeight) = (width, height)
        if preservesAspectRatio {
            // Products of integers are exact here, so rounding up never amplifies the rounding error of a ratio.
            let isWider = sourceWidth * height > width * sourceHeight
            if isWider == (mode == .fit) {
                newHeight = width * sourceHeight / sourceWidth
            } else {
                newWidth = height * sourceWidth / sourceHeight
            }
        }
        let bound = mayEnlarge ? PixelSize(.max, .max) : size
        return PixelSize(
            width: Self.wholePixels(newWidth).map { min(bound.width, $0) } ?? bound.width,
            height: Self.wholePixels(newHeight).map { min(bound.height, $0) } ?? bound.height
        )
    }

    private static func wholePixels(_ side: Double) -> Int? { Int(exactly: side.rounded(.up)) }
}

extension Thumbnail: CustomStringConvertible {
    /// The cache key fragment, such as `Thumbnail({180.000000,120.000000},1)`. It ends in 1 for ``Mode/fit``, in 0 for
    /// ``Mode/stretch``, and in `cover` for ``Mode/cover``, followed by a focus other than the centre, such as
    /// `{0.500000,0.000000}`, and `linear` for linear light.
    public var description: String {
        let name =
            switch mode {
            case .fit: "1"
            case .stretch: "0"
            case .cover: "cover"
            }
        let place = focus == .center ? "" : ",\(focus)"
        let light = inLinearLight ? ",linear" : ""
        return "Thumbnail({\(width.sixDecimals),\(height.sixDecimals)},\(name)\(place)\(light))"
    }
}

enum ThumbnailKey: ImageContextKey {
    static var defaultValue: Thumbnail? { nil }
    static func effect(of value: Thumbnail?) -> ContextEffect { .result(value?.description) }
}

extension ImageContext {
    /// The size at which the image is delivered; `nil` for its full size.
    public var thumbnail: Thumbnail? {
        get { self[ThumbnailKey.self] }
        set { self[ThumbnailKey.self] = newValue }
    }
}
