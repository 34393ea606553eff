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
}

extension ResamplingWeights<Float> {
    /// Weights of `axis` in single precision; `taps` is a multiple of `multiple`.
    init(_ axis: ResamplingAxis, multiple: Int) {
        taps = axis.windowCount.roundedUp(to: multiple)
        weights = Array(repeating: 0, count: taps * axis.targetCount)
        starts.reserveCapacity(axis.targetCount)
        var exact: [Double] = []
        for index in 0..<axis.targetCount {
            starts.append(UInt32(axis.window(at: index).lowerBound))
            axis.findWeights(at: index, &exact)
            for (tap, weight) in exact.enumerated() { weights[index * taps + tap] = Float(weight) }
        }
    }
}

extension ResamplingWeights<Int16> {
    /// Weights of `axis` in whole numbers; `taps` is a multiple of `multiple`, and windows start at even pixels.
    ///
    /// They have as many binary places as fit when no value that is weighed exceeds `limit`.
    init(_ axis: ResamplingAxis, multiple: Int, limit: Double) {
        // The pixel before an odd start is one more.
        taps = (axis.windowCount + 1).roundedUp(to: multiple)
        places = 17
        repeat { places -= 1 } while !fill(axis, limit) && places > 0
    }

    /// Whether all weights, and all sums, fit.
    private mutating func fill(_ axis: ResamplingAxis, _ limit: Double) -> Bool {
        starts = []
        starts.reserveCapacity(axis.targetCount)
        weights = Array(repeating: 0, count: taps * axis.targetCount)
        reach = 1
        var exact: [Double] = []
        for index in 0..<axis.targetCount {
            let start = axis.window(at: index).lowerBound
            axis.findWeights(at: index, &exact)
            starts.append(UInt32(start & ~1))
            guard let magnitude = round(exact, into: index * taps + (start & 1)) else { return false }
            reach = max(reach, magnitude)
        }
        return reach * limit * one < 0x1p31 - one
    }

    private var one: Double { Double(1 << places) }

    /// Writes weights whose sum is exactly one, and tells the sum of their magnitudes.
    private mutating func round(_ exact: [Double], into place: Int) -> Double? {
        var (sum, last, magnitude) = (0.0, 0.0, 0.0)
        for (tap, weight) in exact.enumerated() {
            sum += weight
            let next = tap == exact.count - 1 ? one : (sum * one).rounded()
            guard let weight = Int16(exactly: next - last) else { return nil }
            weights[place + tap] = weight
            magnitude += (next - last).magnitude
            last = next
        }
        return magnitude / one
    }
}

extension Int {
    /// The least multiple of `unit` that is not less.
    func roundedUp(to unit: Int) -> Int { (self + unit - 1) / unit * unit }
}
