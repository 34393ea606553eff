/// Rows of numbers, zero at first, for kernels to work on. One task owns it.
@safe final class RowMemory<Element: FixedWidthNumber> {
    /// The first number of the first row.
    let start: UnsafeMutablePointer<Element>

    /// How many numbers a row has.
    let stride: Int

    /// Whole cache lines, so that no row shares one with its neighbour.
    private static var alignment: Int { 64 }

    /// Memory for `rowCount` rows of at least `stride` numbers.
    init(_ rowCount: Int, stride: Int) {
        self.stride = max(stride, 1).roundedUp(to: Self.alignment / MemoryLayout<Element>.size)
        let count = rowCount * self.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(count, 1) * MemoryLayout<Element>.size, alignment: Self.alignment)
        unsafe start = memory.initializeMemory(as: Element.self, repeating: 0, count: count)
    }

    deinit { unsafe UnsafeMutableRawPointer(start).deallocate() }

    /// The first number of a row.
    func row(_ index: Int) -> UnsafeMutablePointer<Element> { unsafe start + index * stride }

    /// Makes a row zero.
    func clear(_ index: Int) { unsafe row(index).update(repeating: 0, count: stride) }
}

/// A number that is zero when its bytes are.
protocol FixedWidthNumber: BitwiseCopyable, ExpressibleByIntegerLiteral {}

extension Int16: FixedWidthNumber {}
extension UInt32: FixedWidthNumber {}
extension Float: FixedWidthNumber {}
