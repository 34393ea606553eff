/// The resampling arithmetic in linear light with alpha. It is in single precision, because 16-bit integers would lose dark
/// colours under low alpha.
@safe final class LinearLightArithmetic: ResamplingArithmetic {
    private let kernels: PremultipliedKernels
    private let plan: ResamplingPlan
    private let horizontal: ResamplingWeights<Float>
    private let vertical: ResamplingWeights<Float>
    /// The current source row, if it will be averaged.
    private let row: RowBuffer<Float>
    private let rows: RowBuffer<Float>
    private let ring: RowBuffer<Float>
    private let ringCount: Int
    /// The target row being written.
    private let blended: RowBuffer<Float>

    init(_ plan: ResamplingPlan, path: ResamplingPath) {
        kernels = PremultipliedKernels(path: path)
        self.plan = plan
        horizontal = ResamplingWeights(plan.horizontal, multiple: 2)
        vertical = ResamplingWeights(plan.vertical, multiple: 1)
        row = RowBuffer(plan.isAveraging ? 1 : 0, stride: plan.source.width * 4)
        rows = RowBuffer(
            ResamplingPlan.rowsAtOnce, stride: max(horizontal.paddedCount, plan.horizontal.sourceCount) * 4)
        ringCount = plan.heldRowCount
        let width = plan.target.width.roundedUp(to: 8)
        ring = RowBuffer(ringCount, stride: width * 4)
        blended = RowBuffer(1, stride: width * 4)
    }

    func add(_ pixels: UnsafePointer<UInt8>, toRowAt slot: Int, of rowCount: Int) {
        guard plan.isAveraging else { return unsafe premultiply(pixels, into: rows.row(slot)) }
        unsafe premultiply(pixels, into: row.start)
        unsafe kernels.addGroups(
            of: plan.horizontal.averagedCount, from: row.start, count: plan.source.width, rowCount: rowCount,
            to: rows.row(slot))
    }

    func completeRow(at slot: Int, of rowCount: Int) {}

    func resizeRows(from firstRow: Int) {
        kernels.resize(rows, by: horizontal, to: ring.rows(from: firstRow % ringCount))
        guard plan.isAveraging else { return }
        for slot in 0..<ResamplingPlan.rowsAtOnce { rows.clear(slot) }
    }

    func resize(_ rows: SourceRows, from firstRow: Int) {
        for slot in 0..<ResamplingPlan.rowsAtOnce { unsafe premultiply(rows.row(slot), into: self.rows.row(slot)) }
        resizeRows(from: firstRow)
    }

    func writeRow(at index: Int, to pixels: UnsafeMutablePointer<UInt8>) {
        let window = RingWindow(rows: ring, rowCount: ringCount, first: Int(vertical.starts[index]) % ringCount)
        unsafe kernels.blend(window, by: vertical.row(index), count: plan.target.width, to: blended.start)
        unsafe LinearLightKernels.unpremultiply(
            blended.start, count: plan.target.width, hasAlpha: plan.hasAlpha, into: pixels)
    }

    private func premultiply(_ pixels: UnsafePointer<UInt8>, into products: UnsafeMutablePointer<Float>) {
        unsafe LinearLightKernels.premultiply(
            pixels, count: plan.source.width, hasAlpha: plan.hasAlpha, into: products)
    }
}
