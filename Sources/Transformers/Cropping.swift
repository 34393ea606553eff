public import DarkroomCore

/// Crops an image to a rectangle, without resampling.
public struct Cropping: ImageTransformer {
    private let x, y, width, height: Double

    /// Creates a crop to a rectangle in pixels from the top left. It is enlarged to whole pixels, and then clipped to
    /// the image.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x.roundedToSixDecimals
        self.y = y.roundedToSixDecimals
        self.width = width.roundedToSixDecimals
        self.height = height.roundedToSixDecimals
    }

    /// Creates a crop to the whole pixels of `area`.
    init(_ area: PixelRectangle) {
        self.init(x: Double(area.x), y: Double(area.y), width: Double(area.width), height: Double(area.height))
    }

    /// The rectangle, such as `Cropping({0.000000,0.000000,50.000000,50.000000})`.
    public var identifier: String {
        "Cropping({\(x.sixDecimals),\(y.sixDecimals),\(width.sixDecimals),\(height.sixDecimals)})"
    }

    /// Returns the size of the part of the image inside the rectangle.
    public func largestSize(for size: PixelSize) -> PixelSize {
        let columns = Self.pixels(from: x, length: width, bound: size.width)
        let rows = Self.pixels(from: y, length: height, bound: size.height)
        return PixelSize(columns?.count ?? 0, rows?.count ?? 0)
    }

    /// Returns the part of the image inside the rectangle.
    ///
    /// - Throws: An error of kind `unsupported` if there is none.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        guard let columns = Self.pixels(from: x, length: width, bound: bitmap.size.width),
            let rows = Self.pixels(from: y, length: height, bound: bitmap.size.height)
        else {
            throw ImageError(
                .unsupported, .transform,
                "the rectangle to crop, \(width)×\(height) at (\(x), \(y)), must cover a part of the image of \(bitmap.size)"
            )
        }
        let area = PixelRectangle(
            x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
        return try bitmap.window(area, for: request)
    }

    private static func pixels(from start: Double, length: Double, bound: Int) -> Range<Int>? {
        let (first, last) = (max(0, start.rounded(.down)), min(Double(bound), (start + length).rounded(.up)))
        guard start.isFinite, length > 0, first < last else { return nil }
        return Int(first)..<Int(last)
    }
}

extension ImageTransformer where Self == Cropping {
    /// Crops to `width` × `height` pixels whose top left corner is (`x`, `y`).
    public static func crop(x: Double, y: Double, width: Double, height: Double) -> Cropping {
        Cropping(x: x, y: y, width: width, height: height)
    }
}
