/// The channels of pixels that are stored as numbers of 16 or 32 bits.
struct BMPChannels: Sendable {
    let red, green, blue: BMPChannel
    let alpha: BMPChannel?

    /// Five bits per channel, the default for 16 bits per pixel.
    static let fiveBits = BMPChannels([0x7C00, 0x03E0, 0x001F])

    /// Eight bits per channel, the default for 32 bits per pixel.
    static let eightBits = BMPChannels([0xFF_0000, 0xFF00, 0xFF])

    /// Eight bits per channel with alpha, the default in icons.
    static let eightBitsAndAlpha = BMPChannels([0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000])

    /// Creates the channels of three masks, or of four with that of alpha, which may be 0.
    init(_ masks: [UInt32]) {
        (red, green, blue) = (BMPChannel(masks[0]), BMPChannel(masks[1]), BMPChannel(masks[2]))
        alpha = masks.count > 3 && masks[3] != 0 ? BMPChannel(masks[3]) : nil
    }

    /// The largest number of bits of a channel.
    var bitsPerChannel: Int { max(red.bitCount, green.bitCount, blue.bitCount, 1) }

    /// Returns the colour of `pixel`.
    func color(of pixel: UInt32, isOpaque: Bool) -> SIMD4<UInt8> {
        let level = isOpaque ? 255 : alpha?.level(of: pixel) ?? 255
        return SIMD4(red.level(of: pixel), green.level(of: pixel), blue.level(of: pixel), level)
    }
}

/// One channel of a pixel: the bits that a mask selects.
struct BMPChannel: Sendable {
    /// The number of adjacent bits, which is at most 16.
    let bitCount: Int

    // The level of eight bits for each value of the highest ones.
    private let levels: [UInt8]
    private let shift: UInt32

    /// Creates the channel of `mask`, whose bits are adjacent. Those behind a gap are ignored.
    init(_ mask: UInt32) {
        let start = mask == 0 ? 0 : mask.trailingZeroBitCount
        let count = (~(mask >> UInt32(start))).trailingZeroBitCount
        let usedCount = min(count, 8)
        bitCount = min(count, 16)
        shift = UInt32(start + count - usedCount)
        let highest = (1 << usedCount) - 1
        levels = (0...highest).map { UInt8(highest == 0 ? 0 : ($0 * 255 + highest / 2) / highest) }
    }

    /// Returns the level of `pixel`, scaled to eight bits.
    func level(of pixel: UInt32) -> UInt8 { levels[Int(pixel >> shift) & (levels.count - 1)] }
}
