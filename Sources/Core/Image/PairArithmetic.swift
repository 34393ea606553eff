/// Resizes opaque pixels in whole numbers. Resized rows have six binary places and keep what exceeds white and black.
@safe final class PairArithmetic: ResamplingArithmetic {
    private let kernels: PairKernels
    private let plan: ResamplingPlan
    private let horizontal: ResamplingWeights<Int16>
    private let vertical: ResamplingWeights<Int16>
    private let horizontalShift: Int
    private let sums: RowMemory<UInt32>
    private let rows: RowMemory<Int16>
    /// Two resized rows each.
    private let ring: RowMemory<Int16>
    private let ringCount: Int

    /// The binary places of averages and of resized rows.
    private static let places = 6
    private static let one = Double(1 << places)

    init(_ plan: ResamplingPlan, _ path: ResamplingPath) {
        kernels = PairKernels(path: path)
        self.plan = plan
        let most = plan.isAveraging ? 255 * Self.one : 255
        horizontal = ResamplingWeights(plan.horizontal, multiple: 4, limit: most)
        let mostResized = min(255 * Self.one * horizontal.reach, -Double(Int16.min))
        vertical = ResamplingWeights(plan.vertical, multiple: 2, limit: mostResized)
        horizontalShift = horizontal.places - (plan.isAveraging ? 0 : Self.places)
        sums = RowMemory(plan.isAveraging ? 1 : 0, stride: plan.horizontal.sourceCount * 4)
        rows = RowMemory(
            ResamplingPlan.rowsAtOnce, stride: max(horizontal.paddedCount, plan.horizontal.sourceCount + 3) * 4)
        ringCount = plan.heldRowCount / 2
        ring = RowMemory(ringCount, stride: plan.target.width.roundedUp(to: 8) * 8)
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
        let one = Float(Self.one) / Float(rowCount)
        unsafe kernels.makePairs(
            of: sums.start, plan.horizontal.sourceCount, scale: one / Float(plan.horizontal.averagedCount),
            lastScale: one / Float(plan.horizontal.lastAveragedCount), rows.row(slot))
        sums.clear(0)
    }

    func resizeRows(from firstRow: Int) {
        unsafe kernels.resize(rows, horizontal, horizontalShift, to: ring, ring.row(firstRow / 2 % ringCount))
    }

    func writeRow(at index: Int, to pixels: UnsafeMutablePointer<UInt8>) {
        unsafe kernels.blend(
            ring, ringCount, vertical, index, vertical.places + Self.places, plan.target.width, to: pixels)
    }
}
