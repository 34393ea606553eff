/// The resampling arithmetic in linear light. It is in single precision, because 16-bit integers would lose dark
/// colours under low alpha.
@safe final class LightArithmetic: ResamplingArithmetic {
    private let kernels: ProductKernels
    private let plan: ResamplingPlan
    private let horizontal: ResamplingWeights<Float>
    private let vertical: ResamplingWeights<Float>
    /// The current source row, if it will be averaged.
    private let row: RowMemory<Float>
    private let rows: RowMemory<Float>
    private let ring: RowMemory<Float>
    private let ringCount: Int
    /// The target row being written.
    private let blended: RowMemory<Float>

    init(_ plan: ResamplingPlan, _ path: ResamplingPath) {
        kernels = ProductKernels(path: path)
        self.plan = plan
        horizontal = ResamplingWeights(plan.horizontal, multiple: 2)
        vertical = ResamplingWeights(plan.vertical, multiple: 1)
        row = RowMemory(plan.isAveraging ? 1 : 0, stride: plan.source.width * 4)
        rows = RowMemory(
            ResamplingPlan.rowsAtOnce, stride: max(horizontal.paddedCount, plan.horizontal.sourceCount) * 4)
        ringCount = plan.heldRowCount
        let width = plan.target.width.roundedUp(to: 8)
        ring = RowMemory(ringCount, stride: width * 4)
        blended = RowMemory(1, stride: width * 4)
    }

    func add(_ pixels: UnsafePointer<UInt8>, toRowAt slot: Int, of rowCount: Int) {
        guard plan.isAveraging else { return unsafe makeProducts(of: pixels, rows.row(slot)) }
        unsafe makeProducts(of: pixels, row.start)
        unsafe kernels.addGroups(
            row.start, plan.source.width, of: plan.horizontal.averagedCount, rowCount: rowCount, to: rows.row(slot))
    }

    func completeRow(at slot: Int, of rowCount: Int) {}

    func resizeRows(from firstRow: Int) {
        unsafe kernels.resize(rows, horizontal, to: ring, ring.row(firstRow % ringCount))
        guard plan.isAveraging else { return }
        for slot in 0..<ResamplingPlan.rowsAtOnce { rows.clear(slot) }
    }

    func writeRow(at index: Int, to pixels: UnsafeMutablePointer<UInt8>) {
        unsafe kernels.blend(
            ring, ringCount, from: Int(vertical.starts[index]) % ringCount, vertical.row(index), plan.target.width,
            blended.start)
        unsafe LightKernels.makePixels(of: blended.start, plan.target.width, hasAlpha: plan.hasAlpha, pixels)
    }

    private func makeProducts(of pixels: UnsafePointer<UInt8>, _ products: UnsafeMutablePointer<Float>) {
        unsafe LightKernels.makeProducts(of: pixels, plan.source.width, hasAlpha: plan.hasAlpha, products)
    }
}
