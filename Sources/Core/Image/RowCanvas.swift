/// A bitmap whose rows come one after another, and that can be shown before the last has come. One task owns it.
package final class RowCanvas {
    /// The size of the whole picture.
    package let size: PixelSize

    /// How many rows have come.
    package private(set) var rowCount = 0

    private let hasAlpha: Bool
    private let limits: DecodeLimits
    private let storage: PixelStorage

    /// A canvas without rows. Throws `overLimit` when the picture is beyond `limits`.
    package init(_ size: PixelSize, hasAlpha: Bool, limits: DecodeLimits) throws(ImageError) {
        self.size = size
        self.hasAlpha = hasAlpha
        self.limits = limits
        storage = try PixelStorage(size, limits: limits, isOverwritten: true)
    }

    /// Lends `fill` the next rows, at most `count`, and takes as many as it answers to have written.
    package func append(atMost count: Int, _ fill: (inout MutableSpan<UInt8>) throws -> Int) rethrows {
        let rowByteCount = size.width * 4
        let end = min(rowCount + count, size.height)
        let rows = (rowCount * rowByteCount)..<(end * rowByteCount)
        var pixels = unsafe MutableSpan(_unsafeElements: UnsafeMutableBufferPointer(rebasing: storage.bytes[rows]))
        rowCount += try fill(&pixels)
        precondition(rowCount <= end, "more rows were written than there is room for")
    }

    /// A copy of the rows so far; the others are transparent.
    package func preview() throws -> Bitmap {
        let copy = try PixelStorage(size, limits: limits)
        let byteCount = rowCount * size.width * 4
        unsafe UnsafeMutableRawBufferPointer(copy.bytes)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage.bytes)[..<byteCount]))
        // Not to look at missing rows spares their memory.
        guard !hasAlpha else { return Bitmap(size, hasAlpha: true, adopting: copy) }
        return Bitmap(size, hasAlpha: rowCount < size.height, normalized: copy)
    }

    /// The picture, once all rows have come; nothing may be appended any more.
    package consuming func finish() -> Bitmap {
        precondition(rowCount == size.height, "\(size.height - rowCount) rows are missing")
        return Bitmap(size, hasAlpha: hasAlpha, adopting: storage)
    }
}
