import DarkroomQuantizing

extension PackedColor {
    /// Creates the colour of a pixel in memory order: opaque if its alpha is at least 128, and else transparent.
    init(gifPixel pixel: UInt32) {
        let bits = pixel.littleEndian
        self.init(bits: bits >> 31 == 1 ? bits | 0xFF00_0000 : 0)
    }
}
