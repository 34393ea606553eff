/// The channels of eight pixels, one vector for each channel, 0 to 255.
struct PixelBlock {
    /// The values of one channel for all eight pixels.
    var red, green, blue, alpha: SIMD8<Float>

    /// Splits RGBA words with red in the lowest byte.
    @inline(__always) init(_ words: SIMD8<UInt32>) {
        red = Self.floats(words & 255)
        green = Self.floats(words &>> 8 & 255)
        blue = Self.floats(words &>> 16 & 255)
        alpha = Self.floats(words &>> 24)
    }

    /// The words of the channels, clamped and rounded to nearest, ties to even.
    @inline(__always) var words: SIMD8<UInt32> { colorWords | Self.bytes(alpha) &<< 24 }

    /// The words of the colours, clamped and rounded, with alpha 0.
    @inline(__always) var colorWords: SIMD8<UInt32> {
        Self.bytes(red) | Self.bytes(green) &<< 8 | Self.bytes(blue) &<< 16
    }

    /// At this magnitude, the lowest bits of a float are those of its integer part.
    static var magic: Float { 8_388_608 }

    @inline(__always) private static func floats(_ bytes: SIMD8<UInt32>) -> SIMD8<Float> {
        unsafe unsafeBitCast(bytes | magic.bitPattern, to: SIMD8<Float>.self) - magic
    }

    @inline(__always) private static func bytes(_ values: SIMD8<Float>) -> SIMD8<UInt32> {
        // The standard library's pointwise minimum and maximum take seven times as long.
        let clamped = values.replacing(with: 0, where: values .< 0).replacing(with: 255, where: values .> 255)
        return unsafe unsafeBitCast(clamped + magic, to: SIMD8<UInt32>.self) & 255
    }
}
