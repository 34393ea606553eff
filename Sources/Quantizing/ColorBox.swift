/// A set of similar bins of a histogram that one colour of a palette represents.
struct ColorBox {
    private let bins: [ColorHistogram.Bin]

    /// The mean of the pixels.
    let mean: ColorPoint

    private let spread: Spread

    /// The sum of the squared distances of the pixels from their mean.
    let error: Float

    /// Creates a box of `bins`, of which there must be at least one.
    init(_ bins: [ColorHistogram.Bin]) {
        self.bins = bins
        let (sum, weight) = bins.reduce(into: (SIMD4<Double>.zero, 0.0)) {
            $0.0 += $1.point.precise * Double($1.weight)
            $0.1 += Double($1.weight)
        }
        let mean = ColorPoint(sum / weight)
        self.mean = mean
        spread = bins.reduce(into: Spread()) { $0.add($1.point - mean, weight: $1.weight) }
        error = spread.error
    }

    /// Splits the box across the direction in which its pixels differ most, where the total error of both halves is
    /// smallest. Returns `nil` if all pixels are alike.
    func halves() -> (ColorBox, ColorBox)? {
        let axis = spread.axis
        let places = bins.map { ($0.point - mean).product(axis) }
        guard let slices = Slices(places, bins) else { return nil }
        let end = slices.bestEnd
        var (lower, upper): ([ColorHistogram.Bin], [ColorHistogram.Bin]) = ([], [])
        for (bin, place) in zip(bins, places) {
            if slices.index(of: place) < end { lower.append(bin) } else { upper.append(bin) }
        }
        guard !lower.isEmpty, !upper.isEmpty else { return nil }
        return (ColorBox(lower), ColorBox(upper))
    }
}

/// The pixels of a box by their place on its axis, in slices of equal width.
private struct Slices {
    private static let count = 128

    private let first: Float
    private let scale: Float
    private var sums = [Double](repeating: 0, count: count)
    private var weights = [Double](repeating: 0, count: count)

    /// The distance within which colours are the same, which keeps `scale` finite.
    private static let resolution: Float = 0.001

    /// Returns `nil` if all places are the same.
    init?(_ places: [Float], _ bins: [ColorHistogram.Bin]) {
        guard let first = places.min(), let last = places.max(), last - first > Self.resolution else { return nil }
        self.first = first
        scale = Float(Self.count) / (last - first)
        for (place, bin) in zip(places, bins) {
            let index = index(of: place)
            sums[index] += Double(place) * Double(bin.weight)
            weights[index] += Double(bin.weight)
        }
    }

    func index(of place: Float) -> Int { min(Int((place - first) * scale), Self.count - 1) }

    /// The end of the lower half with which the sum of both errors is smallest.
    var bestEnd: Int {
        let (total, totalWeight) = (sums.reduce(0, +), weights.reduce(0, +))
        var (gain, end) = (-1.0, 1)
        var (lower, weight) = (0.0, 0.0)
        for index in 0..<(Self.count - 1) where weights[index] > 0 {
            lower += sums[index]
            weight += weights[index]
            guard totalWeight > weight else { break }
            let upper = total - lower
            let other = lower * lower / weight + upper * upper / (totalWeight - weight)
            if other > gain { (gain, end) = (other, index + 1) }
        }
        return end
    }
}
