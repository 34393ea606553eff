import DarkroomCore

/// Replaces each pixel by the mean of the square around it, for four channels. The edge pixels extend outwards.
///
/// It uses running sums along rows and columns, so that the time for each pixel does not depend on the size of the
/// square.
struct BoxFilter<Sample: FixedWidthInteger & UnsignedInteger & SIMDScalar> {
    /// The size of the image in pixels.
    let size: PixelSize

    /// The number of pixels that the square extends beyond its centre, on each side.
    let boxRadius: Int

    private var rowCount: Int { size.width * 4 }

    /// The number of rows that are still needed after their means have been written.
    private var heldRowCount: Int { min(boxRadius + 1, size.height) }

    /// Replaces the pixels by the means.
    ///
    /// `Sample` and `boxRadius` must be such that the sum of a column of the square fits in 32 bits.
    func filter(_ pixels: UnsafeMutablePointer<Sample>, checkCancellation: () throws -> Void) throws {
        var columns = [Int32](repeating: 0, count: rowCount)
        var held = [Sample](repeating: 0, count: heldRowCount * rowCount)
        try unsafe columns.withUnsafeMutableBufferPointer { columns in
            for (row, count) in edgeCounts(length: size.height) {
                try checkCancellation()
                for index in columns.indices {
                    unsafe columns[index] &+= Int32(pixels[row * rowCount + index]) &* Int32(count)
                }
            }
            try unsafe held.withUnsafeMutableBufferPointer { held in
                for y in 0..<size.height {
                    try checkCancellation()
                    unsafe writeMeans(ofRow: y, columns: columns, to: pixels, held: held)
                }
            }
        }
    }

    /// Returns how often each of `length` positions counts in the square around position 0: the first one, and possibly
    /// the last one, count more than once.
    private func edgeCounts(length: Int) -> [(position: Int, count: Int)] {
        let end = min(boxRadius, length - 1)
        var counts = (0...end).map { (position: $0, count: 1) }
        counts[0].count += boxRadius
        counts[end].count += boxRadius - end
        return counts
    }

    /// Writes the means of row `y`, and advances the column sums to the next row.
    private func writeMeans(
        ofRow y: Int, columns: UnsafeMutableBufferPointer<Int32>, to pixels: UnsafeMutablePointer<Sample>,
        held: UnsafeMutableBufferPointer<Sample>
    ) {
        let row = unsafe UnsafeMutableBufferPointer(start: pixels + y * rowCount, count: rowCount)
        let slot = y % heldRowCount * rowCount
        _ = unsafe held[slot..<(slot + rowCount)].update(fromContentsOf: row)
        unsafe writeMeans(of: columns, to: row)
        guard y + 1 < size.height else { return }
        let coming = unsafe pixels + min(y + boxRadius + 1, size.height - 1) * rowCount
        let going = max(y - boxRadius, 0) % heldRowCount * rowCount
        for index in columns.indices {
            unsafe columns[index] &+= Int32(coming[index]) &- Int32(held[going + index])
        }
    }

    private func writeMeans(
        of columns: UnsafeMutableBufferPointer<Int32>, to row: UnsafeMutableBufferPointer<Sample>
    ) {
        let side = Double(boxRadius * 2 + 1)
        let (weight, magic) = (1 / (side * side), Self.magic)
        let last = size.width - 1
        let target = UnsafeMutableRawBufferPointer(row)
        var sum = SIMD4<Double>.zero
        for (x, count) in edgeCounts(length: size.width) {
            unsafe sum += Self.channels(of: columns, at: x) * Double(count)
        }
        for x in 0...last {
            // A sum of an odd number of integers is never halfway between two multiples of their count, so rounding to
            // nearest is exact.
            let bits = unsafe unsafeBitCast(sum * weight + magic, to: SIMD4<UInt64>.self)
            let means = SIMD4<Sample>(truncatingIfNeeded: bits)
            unsafe target.storeBytes(of: means, toByteOffset: x * 4 * MemoryLayout<Sample>.size, as: SIMD4<Sample>.self)
            unsafe sum +=
                Self.channels(of: columns, at: min(x + boxRadius + 1, last))
                - Self.channels(of: columns, at: max(x - boxRadius, 0))
        }
    }

    @inline(__always) private static func channels(
        of columns: UnsafeMutableBufferPointer<Int32>, at x: Int
    ) -> SIMD4<Double> {
        unsafe SIMD4(
            Double(columns[x * 4]), Double(columns[x * 4 + 1]), Double(columns[x * 4 + 2]), Double(columns[x * 4 + 3]))
    }

    /// At this magnitude, the lowest bits of a double are those of its integer part.
    private static var magic: Double { 4_503_599_627_370_496 }
}
