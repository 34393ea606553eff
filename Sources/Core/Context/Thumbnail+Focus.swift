extension Thumbnail {
    /// A point of an upright image, as fractions of its width and height from the top left.
    public struct Focus: Hashable, Sendable {
        /// The fractions, 0 to 1, rounded to the six decimals of cache keys.
        public let x, y: Double

        /// The centre of the image.
        public static let center = Focus(x: 0.5, y: 0.5)

        /// The middle of the top edge.
        public static let top = Focus(x: 0.5, y: 0)

        /// The middle of the bottom edge.
        public static let bottom = Focus(x: 0.5, y: 1)

        /// The middle of the left edge.
        public static let left = Focus(x: 0, y: 0.5)

        /// The middle of the right edge.
        public static let right = Focus(x: 1, y: 0.5)

        /// Creates a point. Fractions below 0 become 0, those above 1 become 1, and those that are not numbers 0.5.
        public init(x: Double, y: Double) {
            self.x = Self.fraction(x)
            self.y = Self.fraction(y)
        }

        private static func fraction(_ value: Double) -> Double {
            value.isNaN ? 0.5 : min(max(value, 0), 1).roundedToSixDecimals
        }
    }
}

extension Thumbnail.Focus: CustomStringConvertible {
    /// The fractions, such as `{0.500000,0.000000}`.
    public var description: String { "{\(x.sixDecimals),\(y.sixDecimals)}" }

    /// Returns the part of an image of `size` that has the size `part` and whose centre is as near to this point as the
    /// edges allow. Of an odd number of other rows or columns, one more is left out at the bottom or on the right if the
    /// point is in the centre.
    func area(of part: PixelSize, in size: PixelSize) -> PixelRectangle {
        PixelRectangle(
            x: Self.start(of: part.width, in: size.width, at: x),
            y: Self.start(of: part.height, in: size.height, at: y),
            width: part.width, height: part.height)
    }

    private static func start(of length: Int, in whole: Int, at fraction: Double) -> Int {
        let start = Int(saturating: (Double(whole) * fraction - Double(length) / 2).rounded(.down))
        return min(max(start, 0), whole - length)
    }
}
