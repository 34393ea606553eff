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

    /// Sets a row to zero.
    func clear(_ index: Int) { unsafe row(index).update(repeating: 0, count: stride) }
}

/// A number whose value is zero if all its bytes are.
protocol FixedWidthNumber: BitwiseCopyable, ExpressibleByIntegerLiteral {}

extension Int16: FixedWidthNumber {}
extension UInt32: FixedWidthNumber {}
extension Float: FixedWidthNumber {}
