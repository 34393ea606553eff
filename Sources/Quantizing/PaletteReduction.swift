/// The choice of a palette for pictures that have too many colours.
package enum PaletteReduction {
    /// Returns at most `count` colours, of which there must be at least two, for those of `histogram`: the transparent one
    /// if there are such pixels, those that are neither opaque nor transparent, and the opaque ones.
    ///
    /// It splits the set of colours with the largest error until there are enough sets, and then moves each mean to the
    /// mean of the pixels nearest to it.
    package static func colors(
        for histogram: ColorHistogram, count: Int, checkCancellation: () throws -> Void
    ) throws -> [PackedColor] {
        let transparent: [PackedColor] = histogram.hasTransparent ? [.transparent] : []
        var kinds = [
            ColorKind(histogram.opaqueBins, isOpaque: true), ColorKind(histogram.translucentBins, isOpaque: false),
        ].compactMap(\.self)
        // If there is no room for every kind, opaque pixels come first.
        kinds = Array(kinds.prefix(count - transparent.count))
        for _ in kinds.count..<max(count - transparent.count, kinds.count) {
            try checkCancellation()
            guard let worst = kinds.indices.max(by: { kinds[$0].largestError < kinds[$1].largestError }),
                kinds[worst].split()
            else { break }
        }
        return try transparent + kinds.reversed().flatMap { try $0.colors(checkCancellation: checkCancellation) }
    }
}

/// Colours that are represented by some of their own kind: opaque ones, or ones that are neither opaque nor transparent.
private struct ColorKind {
    private let bins: [ColorHistogram.Bin]
    private let isOpaque: Bool
    private var boxes: [ColorBox]

    /// The most rounds in which colours are moved.
    private static let roundLimit = 8
    /// The part of the error that a round must save for another one to be worth its time.
    private static let worthwhileGain = 0.005

    /// Returns `nil` without `bins`.
    init?(_ bins: [ColorHistogram.Bin], isOpaque: Bool) {
        guard !bins.isEmpty else { return nil }
        self.bins = bins
        self.isOpaque = isOpaque
        boxes = [ColorBox(bins)]
    }

    var largestError: Float { boxes.reduce(0) { max($0, $1.error) } }

    /// Splits the box with the largest error. Returns whether that is possible.
    mutating func split() -> Bool {
        guard let index = boxes.indices.max(by: { boxes[$0].error < boxes[$1].error }),
            let halves = boxes[index].halves()
        else { return false }
        boxes[index] = halves.0
        boxes.append(halves.1)
        return true
    }

    /// Returns the colours in a fixed order.
    func colors(checkCancellation: () throws -> Void) throws -> [PackedColor] {
        var points = boxes.map(\.mean)
        var guesses = [Int](repeating: 0, count: bins.count)
        var error = Double.infinity
        for _ in 0..<Self.roundLimit {
            try checkCancellation()
            let round = move(&points, guesses: &guesses)
            guard round < error * (1 - Self.worthwhileGain) else { break }
            error = round
        }
        return Set(points.map { PackedColor($0, isOpaque: isOpaque) }).sorted { $0.bits < $1.bits }
    }

    /// Moves `points` to the mean of the pixels nearest to them, and returns the error before. A point without pixels
    /// stays. `guesses` are the points nearest to the bins in the previous round.
    private func move(_ points: inout [ColorPoint], guesses: inout [Int]) -> Double {
        let nearest = NearestColor(points)
        var sums = [(point: SIMD4<Double>, weight: Double)](repeating: (.zero, 0), count: points.count)
        var error = 0.0
        for (number, bin) in bins.enumerated() {
            let index = nearest.index(nearestTo: bin.point, guess: guesses[number])
            guesses[number] = index
            let weight = Double(bin.weight)
            sums[index].point += bin.point.precise * weight
            sums[index].weight += weight
            error += Double(points[index].squaredDistance(to: bin.point)) * weight
        }
        for (index, sum) in sums.enumerated() where sum.weight > 0 {
            points[index] = ColorPoint(sum.point / sum.weight)
        }
        return error
    }
}
