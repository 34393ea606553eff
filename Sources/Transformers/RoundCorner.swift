public import DarkroomCore

/// Rounds the corners of an image, with an optional border.
public struct RoundCorner: ImageTransformer {
    /// The corners that are rounded. The raw values are those of SDWebImage, and are part of identifiers.
    public struct Corners: OptionSet, Hashable, Sendable {
        /// The sum of the corners' values.
        public let rawValue: UInt

        /// Creates a set from the sum of its corners' values.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The top left corner.
        public static let topLeft = Corners(rawValue: 1)
        /// The top right corner.
        public static let topRight = Corners(rawValue: 2)
        /// The bottom left corner.
        public static let bottomLeft = Corners(rawValue: 4)
        /// The bottom right corner.
        public static let bottomRight = Corners(rawValue: 8)
        /// All corners.
        public static let all = Corners(rawValue: .max)
    }

    private let radius, borderWidth: Double
    private let corners: Corners
    private let borderColor: Color?

    /// Creates circular corners of `radius` pixels, limited to half of the shorter side.
    ///
    /// The image is clipped to its rectangle, inset by `borderWidth` on each side. If the border has a colour, it is
    /// drawn with this width, and its centre line is half a pixel further in than `borderWidth` rounded to whole
    /// pixels, so that a border of width 1 covers the second pixel. If the image is not both wider and higher than
    /// two borders, the result is fully transparent.
    public init(
        radius: Double, corners: Corners = .all, borderWidth: Double = 0, borderColor: Color? = nil
    ) {
        self.radius = radius.roundedToSixDecimals
        self.corners = corners
        self.borderWidth = borderWidth.roundedToSixDecimals
        self.borderColor = borderColor
    }

    /// All parameters, such as `RoundCorner(8.000000,3,0.000000,(null))`.
    public var identifier: String {
        let color = borderColor?.description ?? "(null)"
        return "RoundCorner(\(radius.sixDecimals),\(corners.rawValue),\(borderWidth.sixDecimals),\(color))"
    }

    /// Returns the image with smooth round corners.
    ///
    /// - Throws: An error of kind `unsupported` if the radius or the border width is negative.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let radius = try radius.distance("the radius of the corners")
        let width = try borderWidth.distance("the width of the border")
        guard width > 0 || (radius > 0 && corners.rawValue & 15 != 0) else { return bitmap }
        guard 2 * width < Double(min(bitmap.size.width, bitmap.size.height)) else {
            return try Bitmap(bitmap.size, hasAlpha: true, limits: request.context.limits) { _ in }
        }
        let shape = RoundedRectangle(bitmap.size, inset: width, radius: radius, corners: corners)
        let line =
            width > 0
            ? borderColor.map {
                BorderLine(color: $0, width: width, size: bitmap.size, radius: radius, corners: corners)
            } : nil
        return try unsafe Bitmap.drawn(bitmap.size, hasAlpha: true, for: request) { target in
            for y in 0..<bitmap.size.height {
                try request.checkCancellation()
                let start = y * bitmap.size.width
                let row = unsafe UnsafeMutableBufferPointer(rebasing: target[start...].prefix(bitmap.size.width))
                unsafe bitmap.withWords { words in
                    unsafe clip(words[start...].prefix(bitmap.size.width), to: shape.row(y), into: row)
                }
                unsafe line?.draw(row: y, into: row)
            }
        }
    }

    private func clip(
        _ source: Slice<UnsafeBufferPointer<UInt32>>, to shape: RowCoverage,
        into row: UnsafeMutableBufferPointer<UInt32>
    ) {
        for x in shape.rim {
            unsafe row[x] = source[source.startIndex + x].multiplied(byCoverage: shape.coverage(of: x))
        }
        let whole = unsafe source.dropFirst(shape.whole.lowerBound).prefix(shape.whole.count)
        _ = unsafe row[shape.whole].update(fromContentsOf: whole)
    }
}

/// A line of one colour along a rounded rectangle.
private struct BorderLine {
    private let color: UInt32
    private let outside, inside: RoundedRectangle

    init(color: Color, width: Double, size: PixelSize, radius: Double, corners: RoundCorner.Corners) {
        self.color = color.word
        let middle = width.rounded(.down) + 0.5
        let radius = max(0, radius - 0.5)
        outside = RoundedRectangle(
            size, inset: middle - width / 2, radius: radius > 0 ? radius + width / 2 : 0, corners: corners)
        inside = RoundedRectangle(size, inset: middle + width / 2, radius: max(0, radius - width / 2), corners: corners)
    }

    func draw(row y: Int, into row: UnsafeMutableBufferPointer<UInt32>) {
        let (outside, inside) = (outside.row(y), inside.row(y))
        for x in outside.pixels where !inside.whole.contains(x) {
            let coverage = outside.coverage(of: x) - inside.coverage(of: x)
            unsafe row[x] = color.over(row[x], coverage: coverage)
        }
    }
}

extension ImageTransformer where Self == RoundCorner {
    /// Rounds the corners by `radius` pixels, and draws a border if it has a width and a colour.
    public static func roundCorner(
        radius: Double, corners: RoundCorner.Corners = .all, borderWidth: Double = 0, borderColor: Color? = nil
    ) -> RoundCorner {
        RoundCorner(radius: radius, corners: corners, borderWidth: borderWidth, borderColor: borderColor)
    }
}
