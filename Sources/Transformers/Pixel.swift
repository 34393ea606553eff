extension UInt32 {
    /// Red, green, blue and alpha of a pixel as it lies in memory, 0 to 255.
    var channels: SIMD4<Float> {
        let bytes = unsafe unsafeBitCast(self, to: SIMD4<UInt8>.self)
        return SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: bytes))
    }

    /// The channels with the colour times alpha.
    var premultiplied: SIMD4<Float> {
        var channels = channels
        let alpha = channels.w
        channels *= alpha / 255
        channels.w = alpha
        return channels
    }

    /// This pixel, of which only `coverage` is there, over `below`.
    func over(_ below: UInt32, coverage: Float) -> UInt32 {
        let (pixel, under) = (channels, below.channels)
        let weight = pixel.w * coverage
        guard weight > 0 else { return below }
        let weightBelow = under.w * (255 - weight) / 255
        let alpha = weight + weightBelow
        var result = (pixel * weight + under * weightBelow) / alpha
        result.w = alpha
        return result.word
    }

    /// This pixel with its alpha times `coverage`.
    func faded(_ coverage: Float) -> UInt32 {
        guard coverage < 1 else { return self }
        var channels = channels
        channels.w *= coverage
        return channels.word
    }
}

extension SIMD4<Float> {
    /// The pixel of straight channels, rounded and brought into range.
    var word: UInt32 {
        let clamped = clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        let bytes = SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(clamped + 0.5))
        return unsafe unsafeBitCast(bytes, to: UInt32.self)
    }

    /// The pixel of premultiplied channels, which a filter may have driven out of range, with its alpha times `coverage`.
    func word(_ coverage: Float) -> UInt32 {
        let alpha = Swift.min(Swift.max(w, 0), 255)
        guard alpha >= 0.5 else { return 0 }
        var straight = self * (255 / alpha)
        straight.w = alpha * coverage
        return straight.word
    }
}
