/// The weights of an axis as kernels take them: a row of `taps` for each target pixel, zeros behind the window.
struct ResamplingWeights<Weight: Sendable>: Sendable {
    /// The source pixel that the first weight of each row belongs to.
    private(set) var starts: [UInt32] = []

    /// All weights.
    private(set) var weights: [Weight] = []

    /// How many weights a row has.
    let taps: Int

    /// How many binary places the weights have.
    private(set) var places = 0

    /// How far a sum can exceed the largest of what is summed up.
    private(set) var reach = 1.0

    /// How many pixels a source row must have so that every weight has one.
    var paddedCount: Int { Int(starts.last ?? 0) + taps }

    /// The weights of the target pixel at `index`.
    func row(_ index: Int) -> ArraySlice<Weight> { weights[(index * taps)..<((index + 1) * taps)] }
}

extension ResamplingWeights<Float> {
    /// Weights of `axis` in single precision; `taps` is a multiple of `multiple`.
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
    /// Weights of `axis` in whole numbers; `taps` is a multiple of `multiple`, and windows start at even pixels.
    ///
    /// They have as many binary places as fit when no value that is weighed exceeds `limit`.
    init(_ axis: ResamplingAxis, multiple: Int, limit: Double) {
        let count = axis.windowCount
        // The pixel before an odd start is one more.
        taps = (count + 1).roundedUp(to: multiple)
        let exact = axis.makeWeights()
        let largest = exact.reduce(0) { max($0, $1.magnitude) }
        for row in stride(from: 0, to: exact.count, by: count) {
            reach = max(reach, exact[row..<(row + count)].reduce(0) { $0 + $1.magnitude })
        }
        places = Self.places(largest: largest, reach: reach, taps: taps, limit: limit)
        weights = Array(repeating: 0, count: taps * axis.targetCount)
        starts.reserveCapacity(axis.targetCount)
        for index in 0..<axis.targetCount {
            let start = axis.window(at: index).lowerBound
            starts.append(UInt32(start & ~1))
            round(exact[(index * count)..<((index + 1) * count)], into: index * taps + (start & 1))
        }
    }

    /// The most binary places, up to 16, with which all weights fit 16 bits, and all sums 32. Rounding adds up to one.
    private static func places(largest: Double, reach: Double, taps: Int, limit: Double) -> Int {
        (1...16).last { places in
            let one = Double(1 << places)
            return largest * one + 1 <= 32767 && (reach * one + Double(taps)) * limit + one < 0x1p31
        } ?? 1
    }

    /// Writes weights whose sum is exactly one.
    private mutating func round(_ exact: ArraySlice<Double>, into place: Int) {
        let one = Double(1 << places)
        var (sum, last) = (0.0, 0.0)
        for (tap, weight) in exact.enumerated() {
            sum += weight
            let next = (sum * one).rounded()
            weights[place + tap] = Int16(next - last)
            last = next
        }
    }
}

extension Int {
    /// The least multiple of `unit` that is not less.
    func roundedUp(to unit: Int) -> Int { (self + unit - 1) / unit * unit }
}
