import DarkroomCore

extension PixelSize {
    /// The byte ranges of batches of rows in RGBA8 pixels of this size, in order.
    var rowBatches: some Collection<Range<Int>> {
        let rowCount = 16
        return stride(from: 0, to: height, by: rowCount).lazy.map { y in
            (y * width * 4)..<(min(y + rowCount, height) * width * 4)
        }
    }
}
