/// Red, green, blue and alpha. Arithmetic wraps, as the format requires.
typealias QOIPixel = SIMD4<UInt8>

extension QOIPixel {
    /// The value assumed before the first pixel.
    static let beforeFirst = QOIPixel(0, 0, 0, 255)

    /// Its index in the table of 64 recent pixels.
    var slot: Int { (Int(x) * 3 + Int(y) * 5 + Int(z) * 7 + Int(w) * 11) % 64 }
}

/// The table of recent pixels, indexed by slot.
typealias QOIPixelsSeen = InlineArray<64, QOIPixel>

/// The tags of chunks. Tags of eight bits take precedence over those of two bits.
enum QOITag {
    static let rgb: UInt8 = 0b1111_1110
    static let rgba: UInt8 = 0b1111_1111
    static let index: UInt8 = 0b0000_0000
    static let difference: UInt8 = 0b0100_0000
    static let luma: UInt8 = 0b1000_0000
    static let run: UInt8 = 0b1100_0000
}

/// The maximum length of a run: the two longest values would collide with the tags of eight bits.
let longestQOIRun = 62
