/// The arithmetic that averages, resizes and blends rows, as the resampler directs. It must be used by one task only.
protocol ResamplingArithmetic: AnyObject {
    /// Adds a row of pixels to the row of averages in `slot`, one of `ResamplingPlan.rowsAtOnce`, to which `rowCount`
    /// rows are added in total.
    func add(_ pixels: UnsafePointer<UInt8>, toRowAt slot: Int, of rowCount: Int)

    /// Completes the row of averages in `slot` after all of its rows were added.
    func completeRow(at slot: Int, of rowCount: Int)

    /// Resizes the rows in all slots. The first slot has the row of averages at `firstRow`.
    func resizeRows(from firstRow: Int)

    /// Resizes `rows`, which are not averaged, one for each slot. The first of them is that at `firstRow`.
    func resize(_ rows: SourceRows, from firstRow: Int)

    /// Writes the target row at `index`. All rows of its window must have been resized.
    func writeRow(at index: Int, to pixels: UnsafeMutablePointer<UInt8>)
}
