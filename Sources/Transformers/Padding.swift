public import DarkroomCore

/// Adds a margin around an image.
public struct Padding: ImageTransformer {
    private let top, left, bottom, right: Double
    private let background: Color?

    /// Creates a margin in pixels, rounded to whole pixels on each side, of the colour `background`; `nil` is
    /// transparent.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0, background: Color? = nil) {
        self.top = top.roundedToSixDecimals
        self.left = left.roundedToSixDecimals
        self.bottom = bottom.roundedToSixDecimals
        self.right = right.roundedToSixDecimals
        self.background = background
    }

    /// The sides and the colour, such as `Padding({8.000000,8.000000,8.000000,8.000000},#ffffffff)`; without colour
    /// `(null)`.
    public var identifier: String {
        let sides = [top, left, bottom, right].map(\.sixDecimals).joined(separator: ",")
        return "Padding({\(sides)},\(background?.description ?? "(null)"))"
    }

    /// Returns the size of the image with its margin.
    public func largestSize(for size: PixelSize) -> PixelSize {
        guard
            let sides = try? (
                pixels(left, at: "left"), pixels(right, at: "right"), pixels(top, at: "top"),
                pixels(bottom, at: "bottom")
            )
        else { return size }
        return PixelSize(sides.0 + size.width + sides.1, sides.2 + size.height + sides.3)
    }

    /// Returns the image with its margin.
    ///
    /// - Throws: An error of kind `unsupported` if a side is negative.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let (top, left) = (try pixels(top, at: "top"), try pixels(left, at: "left"))
        let (bottom, right) = (try pixels(bottom, at: "bottom"), try pixels(right, at: "right"))
        let area = PixelRectangle(
            x: -left, y: -top, width: left + bitmap.size.width + right, height: top + bitmap.size.height + bottom)
        return try bitmap.window(area, background: background, for: request)
    }

    private func pixels(_ side: Double, at name: String) throws -> Int {
        Int(try side.distance("the padding at the \(name)").rounded())
    }
}

extension ImageTransformer where Self == Padding {
    /// Adds the given number of pixels on each side.
    public static func pad(
        top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0, background: Color? = nil
    ) -> Padding {
        Padding(top: top, left: left, bottom: bottom, right: right, background: background)
    }

    /// Adds `all` pixels on every side.
    public static func pad(_ all: Double, background: Color? = nil) -> Padding {
        Padding(top: all, left: all, bottom: all, right: all, background: background)
    }
}
