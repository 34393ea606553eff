/// The windows of source pixels and their weights for each target pixel along one axis.
struct ResamplingAxis {
    /// The number of source pixels averaged into one before filtering, which keeps the windows short.
    let averagedCount: Int

    /// The number of averages.
    let sourceCount: Int

    /// The number of source pixels in the last average.
    let lastAveragedCount: Int

    /// The number of target pixels.
    let targetCount: Int

    /// The maximum number of averages in a window.
    let windowCount: Int

    private let filter: ResamplingFilter
    private let scale: Double
    private let widening: Double

    /// The maximum number of pixels averaged. Larger sums over rows and columns, times alpha, might not fit 31 bits.
    private static let maximumAveragedCount = 128

    /// Creates windows over the first `extent` of `source` pixels; `nil` means all.
    init(from source: Int, extent: Double?, to target: Int, filter: ResamplingFilter) {
        let extent = extent.map { $0 > 0 ? min($0, Double(source)) : Double(source) } ?? Double(source)
        let fullScale = extent / Double(target)
        averagedCount = Self.averagedCount(at: fullScale, filter: filter)
        sourceCount = (source + averagedCount - 1) / averagedCount
        lastAveragedCount = source - (sourceCount - 1) * averagedCount
        targetCount = target
        self.filter = filter
        scale = fullScale / Double(averagedCount)
        // Downscaling widens the kernel, so that every source pixel contributes.
        widening = max(scale, 1)
        windowCount = min(sourceCount, Int((2 * filter.support * widening).rounded(.up)))
    }

    /// Returns the window of the target pixel at `index`.
    func window(at index: Int) -> Range<Int> {
        guard scale != 1 else { return index..<(index + 1) }
        let center = (Double(index) + 0.5) * scale
        let support = filter.support * widening
        let start = min(max(0, Int(center - support + 0.5)), sourceCount - 1)
        let end = min(sourceCount, start + windowCount, max(start + 1, Int(center + support + 0.5)))
        return start..<end
    }

    /// Returns the weights of all windows in rows of `windowCount`, padded with zeros. The weights of each row sum to
    /// 1.
    func makeWeights() -> [Double] {
        let kernel = SteppedKernel(filter, step: 1 / widening, count: windowCount)
        var weights = Array(repeating: 0.0, count: targetCount * windowCount)
        for index in 0..<targetCount {
            let window = window(at: index)
            let row = (index * windowCount)..<(index * windowCount + window.count)
            let center = (Double(index) + 0.5) * scale
            kernel.write(from: (Double(window.lowerBound) + 0.5 - center) / widening, to: &weights[row])
            if window.upperBound == sourceCount, lastAveragedCount < averagedCount {
                // The last average is narrower, so its centre is nearer.
                let width = Double(lastAveragedCount) / Double(averagedCount)
                let middle = Double(sourceCount - 1) + width / 2
                weights[row.upperBound - 1] = filter.weight((middle - center) / widening) * width
            }
            var sum = 0.0
            for position in row { sum += weights[position] }
            for position in row { weights[position] /= sum }
        }
        return weights
    }

    /// Returns the number of source pixels to average at `scale`: as many as leave windows of at least 24 averages,
    /// whose result differs from one without averaging by little more than rounding.
    private static func averagedCount(at scale: Double, filter: ResamplingFilter) -> Int {
        Int(min(max(scale * filter.support / 12, 1), Double(maximumAveragedCount)))
    }
}
