/// The resampling arithmetic in integers, also in linear light if the pixels are opaque. Resized rows have extra fractional
/// bits and retain overshoot beyond black and white.
@safe final class IntegerArithmetic: ResamplingArithmetic {
    private let plan: ResamplingPlan
    private let kernels: PairKernels
    private let horizontal: ResamplingWeights<Int16>
    private let vertical: ResamplingWeights<Int16>
    private let horizontalShift: Int
    private let sums: RowBuffer<UInt32>
    /// The source rows to be resized at once, if they are not averaged. A whole bitmap needs none.
    private lazy var pixels = RowBuffer<UInt8>(ResamplingPlan.rowsAtOnce, stride: plan.source.width * 4)
    private let blocks: RowBuffer<Int16>
    /// Each row of the ring has two resized rows, interleaved.
    private let ring: RowBuffer<Int16>
    private let ringCount: Int

    init(_ plan: ResamplingPlan, path: ResamplingPath) {
        self.plan = plan
        let format = PairFormat(
            hasAlpha: plan.hasAlpha, isAveraged: plan.isAveraging, isLight: plan.inLinearLight && !plan.hasAlpha)
        kernels = PairKernels(path: path, format: format)
        horizontal = ResamplingWeights(plan.horizontal, multiple: 4, limit: format.maximum)
        vertical = ResamplingWeights(plan.vertical, multiple: 2, limit: format.maximumResized(horizontal.gain))
        horizontalShift = horizontal.fractionBits + format.shift
        sums = RowBuffer(plan.isAveraging ? 1 : 0, stride: plan.horizontal.sourceCount * 4)
        blocks = PairKernels.makeBlocks(max(horizontal.paddedCount, plan.horizontal.sourceCount))
        ringCount = plan.heldRowCount / 2
        ring = RowBuffer(ringCount, stride: plan.target.width.roundedUp(to: 8) * 8)
    }

    func add(_ pixels: UnsafePointer<UInt8>, toRowAt slot: Int, of rowCount: Int) {
        if plan.isAveraging {
            unsafe kernels.addGroups(
                of: plan.horizontal.averagedCount, from: pixels, count: plan.source.width, to: sums.start)
        } else {
            unsafe self.pixels.row(slot).update(from: pixels, count: plan.source.width * 4)
        }
    }

    func completeRow(at slot: Int, of rowCount: Int) {
        guard plan.isAveraging else { return }
        let divisors = PairKernels.Divisors(
            pixelCount: rowCount * plan.horizontal.averagedCount,
            lastPixelCount: rowCount * plan.horizontal.lastAveragedCount)
        unsafe kernels.writePairs(
            of: sums.start, count: plan.horizontal.sourceCount, dividedBy: divisors,
            to: PairKernels.pairs(ofRowAt: slot, in: blocks))
        sums.clear(0)
    }

    func resizeRows(from firstRow: Int) {
        guard plan.isAveraging else {
            return resize(unsafe SourceRows(start: pixels.start, stride: pixels.stride), from: firstRow)
        }
        resizeBlocks(from: firstRow)
    }

    func resize(_ rows: SourceRows, from firstRow: Int) {
        kernels.writeBlocks(of: rows, count: plan.source.width, to: blocks)
        resizeBlocks(from: firstRow)
    }

    private func resizeBlocks(from firstRow: Int) {
        let output = ring.rows(from: firstRow / 2 % ringCount)
        kernels.resize(blocks, by: horizontal, shift: horizontalShift, to: output)
    }

    func writeRow(at index: Int, to pixels: UnsafeMutablePointer<UInt8>) {
        let window = RingWindow(rows: ring, rowCount: ringCount, first: Int(vertical.starts[index]) / 2 % ringCount)
        unsafe kernels.blend(
            window, by: vertical.row(index), fractionBits: vertical.fractionBits, count: plan.target.width, to: pixels)
    }
}
