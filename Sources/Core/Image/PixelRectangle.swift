/// A rectangle of whole pixels.
public struct PixelRectangle: Hashable, Sendable {
    /// The column and row of its top left corner.
    public var x, y: Int

    /// Its columns and rows, of which it may have none.
    public var width, height: Int

    /// The rectangle of `width` × `height` pixels whose top left corner is (`x`, `y`).
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The rectangle of all pixels of `size`.
    public init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

    /// Its columns and rows.
    public var size: PixelSize { PixelSize(width, height) }

    /// Whether it has no pixel.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The part that lies within `size`; empty when there is none.
    public func cut(to size: PixelSize) -> PixelRectangle {
        let (left, top) = (min(max(x, 0), size.width), min(max(y, 0), size.height))
        // Numbers of a hostile file may not fit when they are added.
        let (right, bottom) = (x.addingReportingOverflow(width), y.addingReportingOverflow(height))
        guard !right.overflow, !bottom.overflow else { return PixelRectangle(x: left, y: top, width: 0, height: 0) }
        return PixelRectangle(
            x: left, y: top, width: min(max(right.partialValue, left), size.width) - left,
            height: min(max(bottom.partialValue, top), size.height) - top)
    }
}
