public import DarkroomCore

/// Rounds the corners of a picture, with a border if asked for.
public struct RoundCorner: ImageTransformer {
    /// Which corners are round. The raw values are SDWebImage's, and stand in identifiers.
    public struct Corners: OptionSet, Hashable, Sendable {
        /// The sum of the corners' numbers.
        public let rawValue: UInt

        /// Corners of these numbers.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The upper left one.
        public static let topLeft = Corners(rawValue: 1)
        /// The upper right one.
        public static let topRight = Corners(rawValue: 2)
        /// The lower left one.
        public static let bottomLeft = Corners(rawValue: 4)
        /// The lower right one.
        public static let bottomRight = Corners(rawValue: 8)
        /// Every corner.
        public static let all = Corners(rawValue: .max)
    }

    private let radius, borderWidth: Double
    private let corners: Corners
    private let borderColor: Color?

    /// Circular corners of `radius` pixels, but of no more than half the shorter side.
    ///
    /// The picture is cut to its rectangle less `borderWidth` on each side. A border of that width is drawn if it has a colour:
    /// its middle lies half a pixel beyond that many whole pixels from the edge, so that one of width 1 covers the second pixel.
    /// Of a picture that is no wider or higher than two borders nothing is left.
    public init(
        radius: Double, corners: Corners = .all, borderWidth: Double = 0, borderColor: Color? = nil
    ) {
        self.radius = radius
        self.corners = corners
        self.borderWidth = borderWidth
        self.borderColor = borderColor
    }

    /// All of it, such as `RoundCorner(8.000000,3,0.000000,(null))`.
    public var identifier: String {
        let color = borderColor?.description ?? "(null)"
        return "RoundCorner(\(radius.sixDecimals),\(corners.rawValue),\(borderWidth.sixDecimals),\(color))"
    }

    /// The picture with smooth round corners; an error of kind `unsupported` for a radius or a width below 0.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        let radius = try radius.distance("the radius of the corners")
        let width = try borderWidth.distance("the width of the border")
        guard width > 0 || (radius > 0 && corners.rawValue & 15 != 0) else { return bitmap }
        guard 2 * width < Double(min(bitmap.size.width, bitmap.size.height)) else {
            return try Bitmap(bitmap.size, hasAlpha: true, limits: request.context.limits) { _ in }
        }
        let shape = RoundedRectangle(bitmap.size, inset: width, radius: radius, corners)
        let line = width > 0 ? borderColor.map { Line($0, width, bitmap.size, radius, corners) } : nil
        return try unsafe Bitmap.drawn(bitmap.size, hasAlpha: true, request) { target in
            for y in 0..<bitmap.size.height {
                try request.checkCancellation()
                let start = y * bitmap.size.width
                let row = unsafe UnsafeMutableBufferPointer(rebasing: target[start...].prefix(bitmap.size.width))
                unsafe bitmap.withWords { words in
                    unsafe cut(words[start...].prefix(bitmap.size.width), to: shape.row(y), row)
                }
                unsafe line?.draw(y, row)
            }
        }
    }

    private func cut(
        _ source: Slice<UnsafeBufferPointer<UInt32>>, to shape: RowCoverage, _ row: UnsafeMutableBufferPointer<UInt32>
    ) {
        for x in shape.rim { unsafe row[x] = source[source.startIndex + x].faded(shape.coverage(of: x)) }
        let whole = unsafe source.dropFirst(shape.whole.lowerBound).prefix(shape.whole.count)
        _ = unsafe row[shape.whole].update(fromContentsOf: whole)
    }
}

/// A line of one colour along a rounded rectangle.
private struct Line {
    private let color: UInt32
    private let outside, inside: RoundedRectangle

    init(_ color: Color, _ width: Double, _ size: PixelSize, _ radius: Double, _ corners: RoundCorner.Corners) {
        self.color = color.word
        let middle = width.rounded(.down) + 0.5
        let radius = max(0, radius - 0.5)
        outside = RoundedRectangle(
            size, inset: middle - width / 2, radius: radius > 0 ? radius + width / 2 : 0, corners)
        inside = RoundedRectangle(size, inset: middle + width / 2, radius: max(0, radius - width / 2), corners)
    }

    func draw(_ y: Int, _ row: UnsafeMutableBufferPointer<UInt32>) {
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
