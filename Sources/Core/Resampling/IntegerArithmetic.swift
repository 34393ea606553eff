/// The resampling arithmetic in integers. Resized rows have extra fractional bits and retain overshoot beyond black and
/// white.
@safe final class IntegerArithmetic: ResamplingArithmetic {
    private let plan: ResamplingPlan
    private let kernels: PairKernels
    private let horizontal: ResamplingWeights<Int16>
    private let vertical: ResamplingWeights<Int16>
    private let horizontalShift: Int
    private let sums: RowBuffer<UInt32>
    private let rows: RowBuffer<Int16>
    /// Each row of the ring has two resized rows, interleaved.
    private let ring: RowBuffer<Int16>
    private let ringCount: Int

    init(_ plan: ResamplingPlan, _ path: ResamplingPath) {
        self.plan = plan
        let format = PairFormat(hasAlpha: plan.hasAlpha, isAveraged: plan.isAveraging)
        kernels = PairKernels(path: path, format: format)
        horizontal = ResamplingWeights(plan.horizontal, multiple: 4, limit: format.maximum)
        vertical = ResamplingWeights(plan.vertical, multiple: 2, limit: format.maximumResized(horizontal.gain))
        horizontalShift = horizontal.fractionBits + format.shift
        sums = RowBuffer(plan.isAveraging ? 1 : 0, stride: plan.horizontal.sourceCount * 4)
        rows = RowBuffer(
            ResamplingPlan.rowsAtOnce, stride: max(horizontal.paddedCount, plan.horizontal.sourceCount + 3) * 4)
        ringCount = plan.heldRowCount / 2
        ring = RowBuffer(ringCount, stride: plan.target.width.roundedUp(to: 8) * 8)
    }

    func add(_ pixels: UnsafePointer<UInt8>, toRowAt slot: Int, of rowCount: Int) {
        if plan.isAveraging {
            unsafe kernels.addGroups(pixels, plan.source.width, of: plan.horizontal.averagedCount, to: sums.start)
        } else {
            unsafe kernels.makePairs(of: pixels, plan.source.width, rows.row(slot))
        }
    }

    func completeRow(at slot: Int, of rowCount: Int) {
        guard plan.isAveraging else { return }
        unsafe kernels.makePairs(
            of: sums.start, plan.horizontal.sourceCount, pixelCount: rowCount * plan.horizontal.averagedCount,
            lastPixelCount: rowCount * plan.horizontal.lastAveragedCount, rows.row(slot))
        sums.clear(0)
    }

    func resizeRows(from firstRow: Int) {
        unsafe kernels.resize(rows, horizontal, horizontalShift, to: ring, ring.row(firstRow / 2 % ringCount))
    }

    func writeRow(at index: Int, to pixels: UnsafeMutablePointer<UInt8>) {
        let first = Int(vertical.starts[index]) / 2 % ringCount
        unsafe kernels.blend(
            ring, ringCount, from: first, vertical.row(index), vertical.fractionBits, plan.target.width, to: pixels)
    }
}
