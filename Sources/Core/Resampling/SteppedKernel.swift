import DarkroomPlatform

/// A filter evaluated at equidistant points. It derives the sines at each point from those of the first point and of
/// the steps, by the angle addition formula.
struct SteppedKernel {
    private let filter: ResamplingFilter
    private let step: Double
    /// The sine and cosine of each step's angle and of a third of it.
    private let steps: [SIMD4<Double>]

    /// Creates a kernel for `count` points.
    init(_ filter: ResamplingFilter, step: Double, count: Int) {
        self.filter = filter
        self.step = step
        steps = filter == .lanczos3 ? (0..<count).map { Self.sines(Double($0) * step * .pi) } : []
    }

    /// Writes the weights at `distance` and at the steps after it.
    func write(from distance: Double, to weights: inout ArraySlice<Double>) {
        let first = weights.startIndex
        let sines = Self.sines(distance * .pi)
        for index in weights.indices {
            let distance = distance + Double(index - first) * step
            // Near the centre, the quotient of rounded values is too inexact.
            guard filter == .lanczos3, distance.magnitude > 1e-4, distance.magnitude < 3 else {
                weights[index] = filter.weight(distance)
                continue
            }
            let angle = distance * .pi
            let turn = steps[index - first]
            let whole = sines.x * turn.y + sines.y * turn.x
            let third = sines.z * turn.w + sines.w * turn.z
            weights[index] = 3 * whole * third / (angle * angle)
        }
    }

    private static func sines(_ angle: Double) -> SIMD4<Double> {
        SIMD4(sin(angle), cos(angle), sin(angle / 3), cos(angle / 3))
    }
}
