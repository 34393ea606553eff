/// A bitmap that is written row by row, and can be previewed before it is complete. It must be used by one task only.
package final class RowCanvas {
    /// The size of the complete image.
    package let size: PixelSize

    /// The number of rows written.
    package private(set) var rowCount = 0

    private let hasAlpha: Bool
    private let limits: DecodeLimits
    private let storage: PixelStorage

    /// Creates a canvas without rows. Throws `overLimit` if the image exceeds `limits`.
    package init(_ size: PixelSize, hasAlpha: Bool, limits: DecodeLimits) throws(ImageError) {
        self.size = size
        self.hasAlpha = hasAlpha
        self.limits = limits
        storage = try PixelStorage(size, limits: limits, isUninitialized: true)
    }

    /// Calls `fill` with the next rows, at most `count`, and appends as many as it returns.
    package func append(atMost count: Int, _ fill: (inout MutableSpan<UInt8>) throws -> Int) rethrows {
        let rowByteCount = size.width * 4
        let end = min(rowCount + count, size.height)
        let rows = (rowCount * rowByteCount)..<(end * rowByteCount)
        var pixels = unsafe MutableSpan(_unsafeElements: UnsafeMutableBufferPointer(rebasing: storage.bytes[rows]))
        rowCount += try fill(&pixels)
        precondition(rowCount <= end, "more rows were written than there is room for")
    }

    /// Returns a copy of the rows so far. The other rows are transparent.
    package func preview() throws -> Bitmap {
        let copy = try PixelStorage(size, limits: limits)
        let byteCount = rowCount * size.width * 4
        unsafe UnsafeMutableRawBufferPointer(copy.bytes)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage.bytes)[..<byteCount]))
        // Skipping the normalization of missing rows keeps their pages untouched, so that they take no memory.
        guard !hasAlpha else { return Bitmap(size, hasAlpha: true, adopting: copy) }
        return Bitmap(size, hasAlpha: rowCount < size.height, normalized: copy)
    }

    /// Returns the complete image. All rows must have been appended.
    package consuming func finish() -> Bitmap {
        precondition(rowCount == size.height, "\(size.height - rowCount) rows are missing")
        return Bitmap(size, hasAlpha: hasAlpha, adopting: storage)
    }
}
