/// Memory for intermediate results of a decode, which shares its pages with those of bitmaps, before and after it.
@safe package final class ScratchMemory {
    /// The start of the memory, whose contents are undefined.
    package let start: UnsafeMutableRawPointer

    /// The number of bytes.
    package let byteCount: Int

    /// Allocates memory. Returns `nil` if `byteCount` is so small that malloc serves as well, or the system has none.
    package init?(byteCount: Int) {
        guard byteCount >= PixelMemory.minimumByteCount, let start = unsafe PixelMemory.allocate(byteCount) else {
            return nil
        }
        unsafe self.start = start
        self.byteCount = byteCount
    }

    deinit { unsafe PixelMemory.deallocate(start, byteCount: byteCount) }
}
