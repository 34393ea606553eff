public import DarkroomCore

/// Cuts a rectangle out of a picture, without resampling.
public struct Cropping: ImageTransformer {
    private let x, y, width, height: Double

    /// The rectangle in pixels from the top left. It is widened to whole pixels and then cut to the picture.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The rectangle, such as `Cropping({0.000000,0.000000,50.000000,50.000000})`.
    public var identifier: String {
        "Cropping({\(x.sixDecimals),\(y.sixDecimals),\(width.sixDecimals),\(height.sixDecimals)})"
    }

    /// The part of the picture under the rectangle; an error of kind `unsupported` when there is none.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        let columns = try Self.pixels(from: x, length: width, bound: bitmap.size.width)
        let rows = try Self.pixels(from: y, length: height, bound: bitmap.size.height)
        let rowByteCount = bitmap.size.width * 4
        return try Bitmap(
            PixelSize(columns.count, rows.count), hasAlpha: bitmap.hasAlpha, limits: request.context.limits
        ) { target in
            try bitmap.withPixels { source in
                var next = 0
                for row in rows {
                    try request.checkCancellation()
                    for index
                        in (row * rowByteCount + columns.lowerBound * 4)..<(row * rowByteCount + columns.upperBound * 4)
                    {
                        target[next] = source[index]
                        next += 1
                    }
                }
            }
        }
    }

    private static func pixels(from start: Double, length: Double, bound: Int) throws -> Range<Int> {
        let (first, last) = (max(0, start.rounded(.down)), min(Double(bound), (start + length).rounded(.up)))
        guard start.isFinite, length > 0, first < last else {
            throw ImageError(.unsupported, .transform, "the rectangle to crop lies outside the picture")
        }
        return Int(first)..<Int(last)
    }
}

extension ImageTransformer where Self == Cropping {
    /// Cuts out `width` × `height` pixels whose top left corner is (`x`, `y`).
    public static func crop(x: Double, y: Double, width: Double, height: Double) -> Cropping {
        Cropping(x: x, y: y, width: width, height: height)
    }
}
