/// A set of similar colours that one palette colour represents.
struct ColorBox {
    private let bins: [ColorHistogram.Bin]
    private let sums: SIMD4<Double>
    /// The sum of the squared distances of the bins from the mean, per channel.
    private let errors: SIMD4<Double>

    /// Creates a box of `bins`, of which there must be at least one.
    init(_ bins: [ColorHistogram.Bin]) {
        self.bins = bins
        let sums = bins.reduce(into: SIMD4<Double>.zero) { $0 += $1.sums }
        self.sums = sums
        errors = bins.reduce(into: .zero) { $0 += $1.distance(to: sums / sums.w) * $1.sums.w }
    }

    /// The total squared distance of the colours from their mean.
    var error: Double { errors.x + errors.y + errors.z }

    /// The mean of the pixels.
    var color: GIFColor { GIFColor(mean: sums) }

    /// Splits the box across the channel with the largest variance, so that the total error of both halves is smallest.
    ///
    /// Returns `nil` if the box has only one bin.
    func halves() -> (ColorBox, ColorBox)? {
        guard bins.count > 1 else { return nil }
        let channel = (0..<3).max { errors[$0] < errors[$1] } ?? 0
        // The sort is stable, so bins with equal means keep their order.
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
    /// Creates the mean colour of pixels from the sums of red, green and blue and the pixel count.
    init(mean sums: SIMD4<Double>) {
        let mean = (sums / sums.w).rounded(.toNearestOrAwayFromZero)
        self.init(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
    }
}
