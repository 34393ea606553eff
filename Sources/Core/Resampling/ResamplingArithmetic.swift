/// How rows are averaged, resized and blended. The resampler says which and when; one task owns it.
protocol ResamplingArithmetic: AnyObject {
    /// Adds a row of pixels to the row of averages in `slot`, of which there are `ResamplingPlan.rowsAtOnce`. In the
    /// end `rowCount` rows are added to it.
    func add(_ pixels: UnsafePointer<UInt8>, toRowAt slot: Int, of rowCount: Int)

    /// Completes the row of averages in `slot`, to which all of its rows were added.
    func completeRow(at slot: Int, of rowCount: Int)

    /// Resizes the rows in all slots, the first of which is the row of averages at `firstRow`.
    func resizeRows(from firstRow: Int)

    /// Writes the target row at `index`, all rows of whose window are resized.
    func writeRow(at index: Int, to pixels: UnsafeMutablePointer<UInt8>)
}
