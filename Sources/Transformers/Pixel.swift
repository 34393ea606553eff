import DarkroomCore

/// At this magnitude, the lowest bits of a float are those of its integer part.
private let integerThreshold: Float = 8_388_608

extension UInt32 {
    /// Red, green, blue and alpha of a pixel in memory order, 0 to 255.
    @inline(__always) var channels: SIMD4<Float> {
        let bytes = unsafe unsafeBitCast(self, to: SIMD4<UInt8>.self)
        let bits = SIMD4<UInt32>(truncatingIfNeeded: bytes) | integerThreshold.bitPattern
        return unsafe unsafeBitCast(bits, to: SIMD4<Float>.self) - integerThreshold
    }

    /// The channels, with the colours multiplied by alpha.
    @inline(__always) var premultiplied: SIMD4<Float> {
        (self | UInt32(littleEndian: 0xFF00_0000)).channels * (Float(Int32(littleEndian >> 24)) * (1 / 255))
    }

    /// The linear light of the colours multiplied by alpha, and alpha, 0 to 255.
    var premultipliedLight: SIMD4<Float> {
        let word = UInt32(littleEndian: self)
        let light = LinearLight.linearFromSRGB
        let (red, green, blue) = (Int(word & 255), Int(word >> 8 & 255), Int(word >> 16 & 255))
        return SIMD4(light[red], light[green], light[blue], 1) * Float(word >> 24)
    }

    /// Composites this pixel, multiplied by `coverage`, over `below`.
    @inline(__always) func over(_ below: UInt32, coverage: Float) -> UInt32 {
        let (pixel, under) = (channels, below.channels)
        let weight = pixel.w * coverage
        guard weight > 0 else { return below }
        guard under.w < 255 else { return (under + (pixel - under) * (weight * (1 / 255))).opaqueWord }
        let weightBelow = under.w * (255 - weight) * (1 / 255)
        let alpha = weight + weightBelow
        var result = (pixel * weight + under * weightBelow) * (1 / alpha)
        result.w = alpha
        return result.word
    }

    /// Returns this pixel with its alpha multiplied by `coverage`.
    func multiplied(byCoverage coverage: Float) -> UInt32 {
        guard coverage < 1 else { return self }
        var channels = channels
        channels.w *= coverage
        return channels.word
    }
}

extension SIMD4<Float> {
    /// The pixel of straight channels, rounded and clamped.
    @inline(__always) var word: UInt32 {
        let positive = replacing(with: 0, where: self .< 0)
        let clamped = positive.replacing(with: 255, where: positive .> 255)
        let bits = unsafe unsafeBitCast(clamped + integerThreshold, to: SIMD4<UInt32>.self)
        return unsafe unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: bits), to: UInt32.self)
    }

    /// The pixel of straight colour channels, with alpha 255.
    @inline(__always) fileprivate var opaqueWord: UInt32 {
        var opaque = self
        opaque.w = 255
        return opaque.word
    }

    /// Returns the pixel of premultiplied channels, which a filter may have moved out of range, with its alpha
    /// multiplied by `coverage`.
    @inline(__always) func word(_ coverage: Float) -> UInt32 {
        guard w >= 0.5 else { return 0 }
        // Alpha divides before it is clamped, because the colours have overshot by the same factor.
        var straight = self * (255 / w)
        straight.w = Swift.min(w, 255) * coverage
        return straight.word
    }

    /// Returns the pixel of premultiplied linear light, which a filter may have moved out of range, with its alpha
    /// multiplied by `coverage`.
    func wordOfLinearLight(_ coverage: Float) -> UInt32 {
        guard w >= 0.5 else { return 0 }
        let light = self * (1 / w)
        let values = SIMD4(
            Float(LinearLight.sRGBValue(of: light.x)), Float(LinearLight.sRGBValue(of: light.y)),
            Float(LinearLight.sRGBValue(of: light.z)), Swift.min(w, 255) * coverage)
        return values.word
    }
}
