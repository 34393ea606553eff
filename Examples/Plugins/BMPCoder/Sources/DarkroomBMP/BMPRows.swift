import DarkroomCore

/// A reader of the rows of a bitmap without runs, in any order.
struct BMPRows {
    private let header: BMPHeader
    private let isOpaque: Bool

    /// Creates a reader. If `isOpaque`, the alpha of pixels is ignored.
    init(_ header: BMPHeader, isOpaque: Bool) {
        self.header = header
        self.isOpaque = isOpaque
    }

    /// Reads row `y`, counted from the top, and returns whether the file has all of it. Otherwise `row` is unchanged.
    func read(_ y: Int, of bytes: Span<UInt8>, into row: inout MutableSpan<UInt8>) -> Bool {
        let storedRow = header.isTopDown ? y : header.size.height - 1 - y
        let (offset, overflow) = storedRow.multipliedReportingOverflow(by: header.rowByteCount)
        let (start, startOverflow) = offset.addingReportingOverflow(header.pixelOffset)
        let byteCount = (header.size.width * header.bitsPerPixel + 7) / 8
        guard !overflow, !startOverflow, start <= bytes.count, byteCount <= bytes.count - start else { return false }
        let stored = bytes.extracting(start..<(start + byteCount))
        switch header.storage {
        case .indices: readIndices(stored, into: &row)
        case .triples: readTriples(stored, into: &row)
        case .numbers(let channels): readNumbers(stored, channels, into: &row)
        case .runs: return false
        }
        return true
    }

    private func readIndices(_ stored: Span<UInt8>, into row: inout MutableSpan<UInt8>) {
        let (bits, mask) = (header.bitsPerPixel, (1 << header.bitsPerPixel) - 1)
        for x in 0..<header.size.width {
            let shift = 8 - bits - x * bits % 8
            row.set(header.palette[Int(stored[x * bits / 8]) >> shift & mask], at: x)
        }
    }

    private func readTriples(_ stored: Span<UInt8>, into row: inout MutableSpan<UInt8>) {
        for x in 0..<header.size.width {
            row.set(SIMD4(stored[3 * x + 2], stored[3 * x + 1], stored[3 * x], 255), at: x)
        }
    }

    private func readNumbers(_ stored: Span<UInt8>, _ channels: BMPChannels, into row: inout MutableSpan<UInt8>) {
        for x in 0..<header.size.width {
            row.set(channels.color(of: stored.pixel(x, bitCount: header.bitsPerPixel), isOpaque: isOpaque), at: x)
        }
    }
}

extension BMPHeader {
    /// Returns whether any pixel of `bytes` has an alpha other than 0. If none has, the alpha is ignored, as in browsers.
    func usesAlpha(_ bytes: Span<UInt8>, checkCancellation: () throws -> Void) rethrows -> Bool {
        guard case .numbers(let channels) = storage, let alpha = channels.alpha else { return false }
        for y in 0..<size.height {
            try checkCancellation()
            let start = pixelOffset + y * rowByteCount
            for x in 0..<size.width {
                let place = start + x * bitsPerPixel / 8
                guard let pixel = bytes.number(at: place, byteCount: bitsPerPixel / 8) else { return false }
                if alpha.level(of: UInt32(truncatingIfNeeded: pixel)) > 0 { return true }
            }
        }
        return false
    }
}

extension Span<UInt8> {
    /// Returns the number of 16 or 32 bits at index `x`.
    fileprivate func pixel(_ x: Int, bitCount: Int) -> UInt32 {
        guard bitCount == 32 else { return UInt32(self[2 * x]) | UInt32(self[2 * x + 1]) << 8 }
        let (low, high) = (UInt32(self[4 * x]) | UInt32(self[4 * x + 1]) << 8, 4 * x + 2)
        return low | UInt32(self[high]) << 16 | UInt32(self[high + 1]) << 24
    }
}

extension MutableSpan<UInt8> {
    /// Sets the pixel at index `x`.
    mutating func set(_ color: SIMD4<UInt8>, at x: Int) {
        self[4 * x] = color.x
        self[4 * x + 1] = color.y
        self[4 * x + 2] = color.z
        self[4 * x + 3] = color.w
    }

    /// Makes all pixels transparent, or black if there is no alpha.
    mutating func clear(hasAlpha: Bool) {
        for x in 0..<(count / 4) { set(SIMD4(0, 0, 0, hasAlpha ? 0 : 255), at: x) }
    }
}
