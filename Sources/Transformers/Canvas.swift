public import DarkroomCore

/// Places an image on a canvas of a given size, without resampling. Parts outside the canvas are clipped.
public struct Canvas: ImageTransformer {
    private let width, height: Double
    private let gravity: Gravity
    private let background: Color?

    /// Creates a canvas of `width` × `height` pixels, each rounded up to whole pixels. The area outside the image has
    /// the colour `background`; `nil` is transparent.
    public init(width: Double, height: Double, gravity: Gravity = .center, background: Color? = nil) {
        self.width = width.roundedToSixDecimals
        self.height = height.roundedToSixDecimals
        self.gravity = gravity
        self.background = background
    }

    /// The size, gravity and colour, such as `Canvas({100.000000,100.000000},center,#ffffffff)`, or `(null)` for no
    /// colour.
    public var identifier: String {
        "Canvas({\(width.sixDecimals),\(height.sixDecimals)},\(gravity.rawValue),\(background?.description ?? "(null)"))"
    }

    /// Returns the size of the canvas.
    public func largestSize(for size: PixelSize) -> PixelSize {
        PixelSize(roundingUpWidth: width, height: height) ?? size
    }

    /// Returns the canvas with the image on it.
    ///
    /// - Throws: An error of kind `unsupported` if a side is not positive.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let canvas = PixelSize(try width.side("the width of a canvas"), try height.side("the height of a canvas"))
        return try bitmap.window(bitmap.window(of: canvas, at: gravity), background: background, for: request)
    }
}

extension ImageTransformer where Self == Canvas {
    /// Places the image on a canvas of `width` × `height` pixels, positioned by `gravity`.
    public static func canvas(
        width: Double, height: Double, gravity: Gravity = .center, background: Color? = nil
    ) -> Canvas {
        Canvas(width: width, height: height, gravity: gravity, background: background)
    }
}
