import DarkroomCore

/// The mean of a square of pixels round each pixel, of four channels each; what lies outside is like the nearest inside.
///
/// Sums run along rows and columns, so that a pixel takes as long whatever the square's size.
@safe struct BoxFilter<Sample: FixedWidthInteger & UnsignedInteger & SIMDScalar> {
    /// The columns and rows of the picture.
    let size: PixelSize

    /// How many pixels the square goes beyond its middle, on each side.
    let reach: Int

    /// Writes the means of `from` to other memory of the same size. `Sample` and `reach` are such that the sum of a column
    /// of the square fits 32 bits.
    func filter(
        _ from: UnsafePointer<Sample>, to: UnsafeMutablePointer<Sample>, checkCancellation: () throws -> Void
    ) throws {
        let rowCount = size.width * 4
        var columns = [Int32](repeating: 0, count: rowCount)
        try unsafe columns.withUnsafeMutableBufferPointer { columns in
            for (row, count) in edgeCounts(length: size.height) {
                try checkCancellation()
                unsafe add(from + row * rowCount, times: Int32(count), to: columns)
            }
            for y in 0..<size.height {
                try checkCancellation()
                unsafe writeMeans(of: columns, to: to + y * rowCount)
                let (next, last) = (min(y + reach + 1, size.height - 1), max(y - reach, 0))
                let (coming, going) = unsafe (from + next * rowCount, from + last * rowCount)
                for index in 0..<rowCount {
                    unsafe columns[index] &+= Int32(coming[index]) &- Int32(going[index])
                }
            }
        }
    }

    /// How often each of `length` positions counts for position 0: the first more than once, and the last perhaps.
    private func edgeCounts(length: Int) -> [(position: Int, count: Int)] {
        let end = min(reach, length - 1)
        var counts = (0...end).map { (position: $0, count: 1) }
        counts[0].count += reach
        counts[end].count += reach - end
        return counts
    }

    private func add(_ row: UnsafePointer<Sample>, times count: Int32, to columns: UnsafeMutableBufferPointer<Int32>) {
        for index in columns.indices { unsafe columns[index] &+= Int32(row[index]) &* count }
    }

    private func writeMeans(of columns: UnsafeMutableBufferPointer<Int32>, to row: UnsafeMutablePointer<Sample>) {
        let side = Double(reach * 2 + 1)
        let (weight, magic) = (1 / (side * side), Self.magic)
        let last = size.width - 1
        var sum = SIMD4<Double>.zero
        for (x, count) in edgeCounts(length: size.width) {
            unsafe sum += Self.channels(columns, x) * Double(count)
        }
        for x in 0...last {
            // A sum of odd many numbers is never half way between two multiples of their count: the nearest is exact.
            let bits = unsafe unsafeBitCast(sum * weight + magic, to: SIMD4<UInt64>.self)
            let means = SIMD4<Sample>(truncatingIfNeeded: bits)
            unsafe UnsafeMutableRawPointer(row + x * 4).storeBytes(of: means, as: SIMD4<Sample>.self)
            unsafe sum += Self.channels(columns, min(x + reach + 1, last)) - Self.channels(columns, max(x - reach, 0))
        }
    }

    @inline(__always) private static func channels(
        _ columns: UnsafeMutableBufferPointer<Int32>, _ x: Int
    ) -> SIMD4<Double> {
        unsafe SIMD4(
            Double(columns[x * 4]), Double(columns[x * 4 + 1]), Double(columns[x * 4 + 2]), Double(columns[x * 4 + 3]))
    }

    /// At this size, the bits of a double end with those of its whole part.
    private static var magic: Double { 4_503_599_627_370_496 }
}
