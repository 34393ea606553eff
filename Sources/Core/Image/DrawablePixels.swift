/// The pixels of a bitmap that is being changed.
@safe struct DrawablePixels {
    private let words: UnsafeMutableBufferPointer<UInt32>
    private let width: Int

    /// Refers to `words`, rows of `width` pixels, which must stay valid.
    @unsafe init(_ words: UnsafeMutableBufferPointer<UInt32>, width: Int) {
        unsafe self.words = words
        self.width = width
    }

    /// Draws `bitmap` at `area`, which has its size and is within bounds. Its pixels are composited over the existing
    /// ones, or replace them.
    func draw(_ bitmap: Bitmap, at area: PixelRectangle, over: Bool) {
        unsafe bitmap.withWords { source in
            for y in 0..<area.height {
                let row = unsafe UnsafeBufferPointer(rebasing: source[(y * area.width)..<((y + 1) * area.width)])
                let destination = unsafe self.row(area.y + y, of: area)
                if over {
                    for x in 0..<area.width { unsafe destination[x] = row[x].over(destination[x]) }
                } else {
                    _ = unsafe destination.update(fromContentsOf: row)
                }
            }
        }
    }

    /// Copies the pixels in `area` from a bitmap of the same size.
    func copy(_ area: PixelRectangle, of bitmap: Bitmap) {
        unsafe bitmap.withWords { source in
            for y in area.y..<(area.y + area.height) {
                let start = y * width + area.x
                let row = unsafe UnsafeBufferPointer(rebasing: source[start..<(start + area.width)])
                _ = unsafe self.row(y, of: area).update(fromContentsOf: row)
            }
        }
    }

    /// Makes the pixels in `area`, which is within bounds, transparent.
    func clear(_ area: PixelRectangle) {
        for y in area.y..<(area.y + area.height) { unsafe row(y, of: area).update(repeating: 0) }
    }

    @unsafe private func row(_ y: Int, of area: PixelRectangle) -> UnsafeMutableBufferPointer<UInt32> {
        let start = y * width + area.x
        return unsafe UnsafeMutableBufferPointer(rebasing: words[start..<(start + area.width)])
    }
}

extension UInt32 {
    /// Returns this pixel over another one, by the Porter–Duff operator, rounded once.
    fileprivate func over(_ below: UInt32) -> UInt32 {
        let (pixel, under) = (littleEndian, below.littleEndian)
        let (alpha, alphaBelow) = (pixel >> 24, under >> 24)
        if alpha == 255 || alphaBelow == 0 { return self }
        if alpha == 0 { return below }
        if alphaBelow == 255 { return UInt32(littleEndian: pixel.mixed(with: under, alpha: alpha)) }
        // Both weights are in units of 1/255².
        let (weight, weightBelow) = (alpha * 255, alphaBelow * (255 - alpha))
        let sum = weight + weightBelow
        var result = ((sum + 127) / 255) << 24
        for shift in [UInt32(0), 8, 16] {
            let mixed = (pixel >> shift & 255) * weight + (under >> shift & 255) * weightBelow
            result |= ((mixed + sum / 2) / sum) << shift
        }
        return UInt32(littleEndian: result)
    }

    /// Returns this pixel over an opaque one, where the divisor is 255. Computes two channels at a time.
    private func mixed(with under: UInt32, alpha: UInt32) -> UInt32 {
        let mask: UInt32 = 0x00FF_00FF
        func mixed(_ pixel: UInt32, over under: UInt32) -> UInt32 {
            // Each half is at most 255² + 128 before it is divided by 255 and rounded.
            let sum = (pixel & mask) * alpha + (under & mask) * (255 - alpha) + 0x0080_0080
            return (sum + (sum >> 8 & mask)) >> 8 & mask
        }
        return mixed(self, over: under) | mixed(self >> 8, over: under >> 8) << 8 | 0xFF00_0000
    }
}
