/// Red, green, blue and alpha. Arithmetic on it wraps, as the format wants.
typealias QOIPixel = SIMD4<UInt8>

extension QOIPixel {
    /// What comes before the first pixel.
    static let beforeFirst = QOIPixel(0, 0, 0, 255)

    /// Where it is kept among the 64 pixels that were seen last.
    var slot: Int { (Int(x) * 3 + Int(y) * 5 + Int(z) * 7 + Int(w) * 11) % 64 }
}

/// The pixels seen last, one a slot.
typealias QOIPixelsSeen = InlineArray<64, QOIPixel>

/// The first bytes of chunks. The two of eight bits go before those of two.
enum QOITag {
    static let rgb: UInt8 = 0b1111_1110
    static let rgba: UInt8 = 0b1111_1111
    static let index: UInt8 = 0b0000_0000
    static let difference: UInt8 = 0b0100_0000
    static let luma: UInt8 = 0b1000_0000
    static let run: UInt8 = 0b1100_0000
}

/// The most pixels of one run: the two longest would look like the tags of eight bits.
let longestQOIRun = 62
