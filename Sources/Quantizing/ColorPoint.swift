/// A colour as a point, such that the squared distance of two points is the error of showing one colour for the other: the
/// sum over red, green and blue of the squared difference, on the average of all grey backgrounds.
///
/// If c is a premultiplied channel, a the alpha and g the grey, a channel differs by Δc - gΔa. The average of the square
/// over all g from 0 to 1 is (Δc - Δa/2)² + Δa²/12. The first terms are those of x, y and z, and the second ones, three
/// of them, that of w.
typealias ColorPoint = SIMD4<Float>

extension ColorPoint {
    /// The points of all colours are from this one to `largestOpaque`.
    static let smallest = ColorPoint(-127.5, -127.5, -127.5, 0)

    /// The points of opaque colours are from this one to `largestOpaque`.
    static let smallestOpaque = ColorPoint(-127.5, -127.5, -127.5, 127.5)
    static let largestOpaque = ColorPoint(127.5, 127.5, 127.5, 127.5)

    /// Creates the point of `color`.
    @inline(__always)
    init(_ color: PackedColor) {
        let channels = ColorPoint(Float(color.red), Float(color.green), Float(color.blue), 255)
        let alpha = Float(color.alpha)
        self = channels * (alpha / 255) - alpha / 2
    }

    /// The place along the axis from black to white. Two points are at least as far apart as their places.
    @inline(__always)
    var lightness: Float { (x + y + z) * 0.577_350_26 }

    /// Returns the error of showing one colour for the other.
    @inline(__always)
    func squaredDistance(to other: ColorPoint) -> Float {
        (self - other).squaredLength
    }

    /// Returns the scalar product.
    @inline(__always)
    func product(_ other: ColorPoint) -> Float {
        // `sum()` is slow in debug builds.
        let products = self * other
        return products.x + products.y + (products.z + products.w)
    }

    /// The square of the distance from the origin.
    @inline(__always)
    var squaredLength: Float { product(self) }

    /// The distance from the origin.
    @inline(__always)
    var length: Float { squaredLength.squareRoot() }

    /// The same point with more digits, for sums.
    @inline(__always)
    var precise: SIMD4<Double> { SIMD4<Double>(Double(x), Double(y), Double(z), Double(w)) }
}

extension PackedColor {
    /// Creates the colour nearest to `point`: an opaque one, or one that is neither opaque nor transparent.
    init(_ point: ColorPoint, isOpaque: Bool) {
        let alpha = isOpaque ? 255 : (2 * point.w).rounded().clamped(to: 1...254)
        let channels = ((point + point.w) * (255 / alpha)).rounded(.toNearestOrAwayFromZero)
        let limited = channels.clamped(lowerBound: .zero, upperBound: ColorPoint(repeating: 255))
        self.init(red: UInt8(limited.x), green: UInt8(limited.y), blue: UInt8(limited.z), alpha: UInt8(alpha))
    }
}

extension Float {
    fileprivate func clamped(to range: ClosedRange<Float>) -> Float {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
