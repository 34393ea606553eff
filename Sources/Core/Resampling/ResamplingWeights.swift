/// The weights of an axis in the layout of the kernels: a row of `taps` for each target pixel, padded with zeros.
struct ResamplingWeights<Weight: Sendable>: Sendable {
    /// The source pixel of the first weight of each row.
    private(set) var starts: [UInt32] = []

    /// The weights of all rows.
    private(set) var weights: [Weight] = []

    /// The number of weights in a row.
    let taps: Int

    /// The number of fractional bits of the weights.
    private(set) var fractionBits = 0

    /// The largest sum of the magnitudes in a row: the factor by which a weighted sum can exceed the largest value.
    private(set) var gain = 1.0

    /// The number of pixels that a padded source row needs, so that there is one for every weight.
    var paddedCount: Int { Int(starts.last ?? 0) + taps }

    /// Returns the weights of the target pixel at `index`.
    func row(_ index: Int) -> ArraySlice<Weight> { weights[(index * taps)..<((index + 1) * taps)] }
}

extension ResamplingWeights<Float> {
    /// Creates the weights of `axis` in single precision. `taps` is a multiple of `multiple`.
    init(_ axis: ResamplingAxis, multiple: Int) {
        let count = axis.windowCount
        taps = count.roundedUp(to: multiple)
        starts = (0..<axis.targetCount).map { UInt32(axis.window(at: $0).lowerBound) }
        weights = Array(repeating: 0, count: taps * axis.targetCount)
        let exact = axis.makeWeights()
        for index in starts.indices {
            for tap in 0..<count { weights[index * taps + tap] = Float(exact[index * count + tap]) }
        }
    }
}

extension ResamplingWeights<Int16> {
    /// Creates the weights of `axis` as integers. `taps` is a multiple of `multiple`, and windows start at even pixels.
    ///
    /// They have as many fractional bits as fit when the magnitude of weighted values is at most `limit`.
    init(_ axis: ResamplingAxis, multiple: Int, limit: Double) {
        let count = axis.windowCount
        // One more for the pixel before an odd start.
        taps = (count + 1).roundedUp(to: multiple)
        let exact = axis.makeWeights()
        let largest = exact.reduce(0) { max($0, $1.magnitude) }
        for row in stride(from: 0, to: exact.count, by: count) {
            gain = max(gain, exact[row..<(row + count)].reduce(0) { $0 + $1.magnitude })
        }
        fractionBits = Self.fractionBits(largest: largest, gain: gain, taps: taps, limit: limit)
        weights = Array(repeating: 0, count: taps * axis.targetCount)
        starts.reserveCapacity(axis.targetCount)
        for index in 0..<axis.targetCount {
            let start = axis.window(at: index).lowerBound
            starts.append(UInt32(start & ~1))
            writeRounded(exact[(index * count)..<((index + 1) * count)], at: index * taps + (start & 1))
        }
    }

    /// Returns the maximum number of fractional bits, up to 16, with which all weights fit 16 bits and all sums 32
    /// bits. Rounding adds at most one to a weight.
    private static func fractionBits(largest: Double, gain: Double, taps: Int, limit: Double) -> Int {
        (1...16).last { fractionBits in
            let one = Double(1 << fractionBits)
            return largest * one + 1 <= 32767 && (gain * one + Double(taps)) * limit + one < 0x1p31
        } ?? 1
    }

    /// Writes rounded weights whose sum is exactly one.
    private mutating func writeRounded(_ exact: ArraySlice<Double>, at index: Int) {
        let one = Double(1 << fractionBits)
        var (sum, last) = (0.0, 0.0)
        for (tap, weight) in exact.enumerated() {
            sum += weight
            let next = (sum * one).rounded()
            weights[index + tap] = Int16(next - last)
            last = next
        }
    }
}

extension Int {
    /// Returns the smallest multiple of `unit` that is not less than this number.
    func roundedUp(to unit: Int) -> Int { (self + unit - 1) / unit * unit }
}
