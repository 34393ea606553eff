/// How points are spread about their mean: their covariance, times their number.
struct Spread {
    private var rows: [ColorPoint] = Array(repeating: .zero, count: 4)

    /// Adds a point relative to the mean.
    mutating func add(_ point: ColorPoint, weight: Float) {
        let weighted = point * weight
        for index in 0..<4 { rows[index] += weighted * point[index] }
    }

    /// The sum of the squared distances from the mean.
    var error: Float { rows[0].x + rows[1].y + rows[2].z + rows[3].w }

    /// The direction in which the points are spread most, found by power iteration.
    var axis: ColorPoint {
        // The longest row is not perpendicular to it.
        var axis = rows.max { $0.length < $1.length } ?? .zero
        for _ in 0..<8 {
            let length = axis.length
            guard length > 0 else { return ColorPoint(1, 0, 0, 0) }
            axis /= length
            axis = ColorPoint(
                rows[0].product(axis), rows[1].product(axis), rows[2].product(axis), rows[3].product(axis))
        }
        let length = axis.length
        return length > 0 ? axis / length : ColorPoint(1, 0, 0, 0)
    }
}
