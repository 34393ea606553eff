import DarkroomCore

/// The header of a frame, with the colours that its indices mean.
struct GIFFrame {
    /// Where its first pixel lies on the logical screen.
    var left, top: Int

    /// As stored, parts beyond the screen included; both sides positive.
    let size: PixelSize

    /// Whether its rows are stored in four passes.
    let isInterlaced: Bool

    /// 256 pixels as they lie in memory: zero for the transparent index, black for indices beyond the file's colours.
    let palette: [UInt32]

    /// The rows in the order in which they are stored.
    var rows: [Int] {
        guard isInterlaced else { return Array(0..<size.height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
            Array(stride(from: start, to: size.height, by: step))
        }
    }

    /// Draws `indices`, which are row `y` of the frame, where it lies on a screen of `size`, whose pixels are `screen`.
    func draw(_ indices: [UInt8], row y: Int, on screen: inout MutableSpan<UInt8>, size: PixelSize) {
        let count = min(self.size.width, size.width - left)
        guard top + y < size.height, count > 0 else { return }
        let start = (top + y) * size.width + left
        precondition(indices.count >= count && (start + count) * 4 <= screen.count && palette.count == 256)
        unsafe screen.withUnsafeMutableBufferPointer { bytes in
            unsafe UnsafeMutableRawBufferPointer(bytes).withMemoryRebound(to: UInt32.self) { pixels in
                for x in 0..<count { unsafe pixels[start + x] = palette[Int(indices[x])] }
            }
        }
    }
}
