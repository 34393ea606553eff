import DarkroomCore

/// A rectangle with circular corners, whose edges may lie between pixels.
struct RoundedRectangle {
    private let left, top, right, bottom: Double
    private let topLeft, topRight, bottomLeft, bottomRight: Double

    /// Creates the rectangle inset by `inset` on each side of `size`; the radius is at most half of its shorter side.
    init(_ size: PixelSize, inset: Double, radius: Double, corners: RoundCorner.Corners) {
        (left, top) = (inset, inset)
        (right, bottom) = (Double(size.width) - inset, Double(size.height) - inset)
        let radius = max(0, min(radius, (right - left) / 2, (bottom - top) / 2))
        topLeft = corners.contains(.topLeft) ? radius : 0
        topRight = corners.contains(.topRight) ? radius : 0
        bottomLeft = corners.contains(.bottomLeft) ? radius : 0
        bottomRight = corners.contains(.bottomRight) ? radius : 0
    }

    /// Returns the coverage of the pixels in row `y`. It is exact outside the arcs, and sampled at 16 lines a row along
    /// them.
    func row(_ y: Int) -> RowCoverage {
        let (first, last) = (max(Double(y), top), min(Double(y + 1), bottom))
        guard first < last else { return RowCoverage(height: 0, spans: []) }
        let isStraight = first >= top + max(topLeft, topRight) && last <= bottom - max(bottomLeft, bottomRight)
        let count = isStraight ? 1 : 16
        let spans = (0..<count).map { index in
            let y = first + (last - first) * (Double(index) + 0.5) / Double(count)
            return (
                start: left + indentation(at: y, upper: topLeft, lower: bottomLeft),
                end: right - indentation(at: y, upper: topRight, lower: bottomRight)
            )
        }
        return RowCoverage(height: last - first, spans: spans)
    }

    /// Returns the distance by which corners of these radii indent the edge at `y`.
    private func indentation(at y: Double, upper: Double, lower: Double) -> Double {
        let (radius, distance) =
            if y < top + upper { (upper, top + upper - y) } else { (lower, y - (bottom - lower)) }
        guard distance > 0 else { return 0 }
        return radius - max(0, radius * radius - distance * distance).squareRoot()
    }
}

/// The coverage of the pixels in a row by a shape: `height` times the mean of its spans.
struct RowCoverage {
    /// The pixels that are covered at least partially.
    let pixels: Range<Int>

    /// The pixels that are covered completely.
    let whole: Range<Int>

    private let weight: Double
    private let spans: [(start: Double, end: Double)]

    /// Creates the coverage by `spans`, which have equal shares of `height`.
    init(height: Double, spans: [(start: Double, end: Double)]) {
        weight = spans.isEmpty ? 0 : height / Double(spans.count)
        self.spans = spans.filter { $0.start < $0.end }
        let isFull = height == 1 && self.spans.count == spans.count
        let starts = self.spans.map(\.start)
        let ends = self.spans.map(\.end)
        let first = Int((starts.min() ?? 0).rounded(.down))
        let last = max(first, Int((ends.max() ?? 0).rounded(.up)))
        let wholeFirst = isFull ? min(last, Int((starts.max() ?? 0).rounded(.up))) : last
        pixels = first..<last
        whole = wholeFirst..<max(wholeFirst, isFull ? Int((ends.min() ?? 0).rounded(.down)) : last)
    }

    /// The pixels that are covered partially.
    var rim: [Int] { Array(pixels.lowerBound..<whole.lowerBound) + Array(whole.upperBound..<pixels.upperBound) }

    /// Returns the fraction of pixel `x` that is covered, 0 to 1.
    func coverage(of x: Int) -> Float {
        guard !whole.contains(x) else { return 1 }
        let (start, end) = (Double(x), Double(x + 1))
        return Float(spans.reduce(0) { $0 + max(0, min(end, $1.end) - max(start, $1.start)) } * weight)
    }
}
