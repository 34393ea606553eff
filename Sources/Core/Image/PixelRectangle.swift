/// A rectangle of pixels.
public struct PixelRectangle: Hashable, Sendable {
    /// The column and row of the top left corner.
    public var x, y: Int

    /// The number of columns and rows, which may be 0.
    public var width, height: Int

    /// Creates the rectangle of `width` × `height` pixels with the top left corner (`x`, `y`).
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Creates the rectangle of all pixels of `size`.
    public init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

    /// The number of columns and rows.
    public var size: PixelSize { PixelSize(width, height) }

    /// Whether the rectangle has no pixels.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// Returns the part within `size`; an empty rectangle if there is none.
    public func clamped(to size: PixelSize) -> PixelRectangle {
        let (left, top) = (min(max(x, 0), size.width), min(max(y, 0), size.height))
        // The sums may overflow for values from a hostile file.
        let (right, bottom) = (x.addingReportingOverflow(width), y.addingReportingOverflow(height))
        guard !right.overflow, !bottom.overflow else { return PixelRectangle(x: left, y: top, width: 0, height: 0) }
        return PixelRectangle(
            x: left, y: top, width: min(max(right.partialValue, left), size.width) - left,
            height: min(max(bottom.partialValue, top), size.height) - top)
    }

    /// Returns the smallest rectangle that contains both.
    package func union(_ other: PixelRectangle) -> PixelRectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        let right = max(x + width, other.x + other.width)
        let bottom = max(y + height, other.y + other.height)
        return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
    }
}
