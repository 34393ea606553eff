public import DarkroomCore

/// Lays a picture on a canvas of a given size, without resampling: what hangs over is cut.
public struct Canvas: ImageTransformer {
    private let width, height: Double
    private let gravity: Gravity
    private let background: Color?

    /// A canvas of `width` × `height` pixels, each side rounded up to whole ones, and of the colour `background` where the
    /// picture does not cover it; `nil` is transparent.
    public init(width: Double, height: Double, gravity: Gravity = .center, background: Color? = nil) {
        self.width = width
        self.height = height
        self.gravity = gravity
        self.background = background
    }

    /// Size, place and colour, such as `Canvas({100.000000,100.000000},center,#ffffffff)`, or `(null)` for no colour.
    public var identifier: String {
        "Canvas({\(width.sixDecimals),\(height.sixDecimals)},\(gravity.rawValue),\(background?.description ?? "(null)"))"
    }

    /// The canvas.
    public func largestSize(for size: PixelSize) -> PixelSize { PixelSize(rounding: width, height) ?? size }

    /// The canvas; an error of kind `unsupported` for a side that is not positive.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        let canvas = PixelSize(try width.side("the width of a canvas"), try height.side("the height of a canvas"))
        return try bitmap.window(bitmap.window(of: canvas, at: gravity), background: background, request)
    }
}

extension ImageTransformer where Self == Canvas {
    /// Lays the picture on a canvas of `width` × `height` pixels, where `gravity` tells.
    public static func canvas(
        width: Double, height: Double, gravity: Gravity = .center, background: Color? = nil
    ) -> Canvas {
        Canvas(width: width, height: height, gravity: gravity, background: background)
    }
}
