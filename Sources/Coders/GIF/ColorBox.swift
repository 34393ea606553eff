/// A part of a picture's colours, for which one colour stands.
struct ColorBox {
    private let bins: [ColorHistogram.Bin]
    private let sums: SIMD4<Double>
    /// The sum of squares of the bins' distances from the mean, by channel.
    private let errors: SIMD4<Double>

    /// The box of these bins, at least one.
    init(_ bins: [ColorHistogram.Bin]) {
        self.bins = bins
        let sums = bins.reduce(into: SIMD4<Double>.zero) { $0 += $1.sums }
        self.sums = sums
        errors = bins.reduce(into: .zero) { $0 += $1.distance(to: sums / sums.w) * $1.sums.w }
    }

    /// How far the box's colours are from its mean, all together.
    var error: Double { errors.x + errors.y + errors.z }

    /// The mean of its pixels.
    var color: GIFColor { GIFColor(mean: sums) }

    /// Two boxes that lie closest round their means, when the box is cut across the channel that varies most.
    ///
    /// `nil` when there is only one bin.
    func halves() -> (ColorBox, ColorBox)? {
        guard bins.count > 1 else { return nil }
        let channel = (0..<3).max { errors[$0] < errors[$1] } ?? 0
        // Bins of the same mean keep their order: the sort is stable.
        let sorted = bins.sorted { $0.mean[channel] < $1.mean[channel] }
        var (best, end) = (-1.0, 1)
        var lower = SIMD4<Double>.zero
        for (index, bin) in sorted.dropLast().enumerated() {
            lower += bin.sums
            let upper = sums - lower
            let gain = lower[channel] * lower[channel] / lower.w + upper[channel] * upper[channel] / upper.w
            if gain > best { (best, end) = (gain, index + 1) }
        }
        return (ColorBox(Array(sorted[..<end])), ColorBox(Array(sorted[end...])))
    }
}

extension ColorHistogram.Bin {
    fileprivate func distance(to mean: SIMD4<Double>) -> SIMD4<Double> {
        let difference = self.mean - mean
        return difference * difference
    }
}

extension GIFColor {
    /// The mean of pixels with these sums of red, green and blue, and this count.
    init(mean sums: SIMD4<Double>) {
        let mean = (sums / sums.w).rounded(.toNearestOrAwayFromZero)
        self.init(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
    }
}
