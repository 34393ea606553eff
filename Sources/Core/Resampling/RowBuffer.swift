/// Zero-initialized rows of numbers for the kernels. It must be used by one task only.
@safe final class RowBuffer<Element: FixedWidthNumber> {
    /// The first number of the first row.
    let start: UnsafeMutablePointer<Element>

    /// The number of elements from one row to the next.
    let stride: Int

    /// The size of a cache line, so that no two rows share one.
    private static var alignment: Int { 64 }

    /// Allocates `rowCount` rows of at least `stride` elements.
    init(_ rowCount: Int, stride: Int) {
        self.stride = max(stride, 1).roundedUp(to: Self.alignment / MemoryLayout<Element>.size)
        let count = rowCount * self.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(count, 1) * MemoryLayout<Element>.size, alignment: Self.alignment)
        unsafe start = memory.initializeMemory(as: Element.self, repeating: 0, count: count)
    }

    deinit { unsafe UnsafeMutableRawPointer(start).deallocate() }

    /// Returns the first element of a row.
    func row(_ index: Int) -> UnsafeMutablePointer<Element> { unsafe start + index * stride }

    /// Returns the rows from `index` on.
    func rows(from index: Int) -> OutputRows<Element> { unsafe OutputRows(start: row(index), stride: stride) }

    /// Sets a row to zero.
    func clear(_ index: Int) { unsafe row(index).update(repeating: 0, count: stride) }
}

/// Rows of RGBA pixels, `stride` bytes apart. They are valid as long as their owner is.
@safe struct SourceRows {
    let start: UnsafePointer<UInt8>
    let stride: Int

    /// Returns the first byte of a row.
    func row(_ index: Int) -> UnsafePointer<UInt8> { unsafe start + index * stride }
}

/// The rows of a buffer that a kernel writes, from the first of them on. They are valid as long as the buffer is.
@safe struct OutputRows<Element> {
    let start: UnsafeMutablePointer<Element>
    let stride: Int
}

/// A window of the rows of a buffer that is used as a ring. After its last row, the window continues with row 0.
struct RingWindow<Element: FixedWidthNumber> {
    let rows: RowBuffer<Element>
    /// The number of rows of the ring.
    let rowCount: Int
    /// The index of the first row of the window.
    let first: Int

    /// Returns the first element of the row at `index` of the window.
    func row(_ index: Int) -> UnsafeMutablePointer<Element> { unsafe rows.row((first + index) % rowCount) }
}

/// A number whose value is zero if all its bytes are.
protocol FixedWidthNumber: BitwiseCopyable, ExpressibleByIntegerLiteral {}

extension UInt8: FixedWidthNumber {}
extension Int16: FixedWidthNumber {}
extension UInt32: FixedWidthNumber {}
extension Float: FixedWidthNumber {}
