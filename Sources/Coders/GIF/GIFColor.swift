import DarkroomCore

/// A colour in a GIF: opaque, or the single transparent one.
struct GIFColor: Hashable {
    /// Blue, green and red from bit 16 down, with all higher bits set; 0 for the transparent colour.
    let bits: UInt32

    static let transparent = GIFColor(bits: 0)

    /// Creates the colour of a pixel in memory order. It is opaque if the alpha is at least 128.
    init(pixel: UInt32) {
        let bits = pixel.littleEndian
        self.bits = bits >> 31 == 1 ? bits | 0xFF00_0000 : 0
    }

    /// Creates an opaque colour.
    init(red: UInt8, green: UInt8, blue: UInt8) {
        self.init(bits: 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red))
    }

    private init(bits: UInt32) { self.bits = bits }

    var red: UInt8 { UInt8(truncatingIfNeeded: bits) }
    var green: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
    var blue: UInt8 { UInt8(truncatingIfNeeded: bits >> 16) }

    /// Red, green, blue and 0, for arithmetic.
    var channels: SIMD4<Int32> { SIMD4(Int32(red), Int32(green), Int32(blue), 0) }
}
