import DarkroomCore

/// Three box filters on the stored values, rounded after each: to 8 bits if the image is opaque, otherwise to 16 bits,
/// because the colours are multiplied by alpha, and those of low alpha would lose most of their levels.
struct SRGBBlur {
    /// The number of pixels that a box extends beyond its centre.
    let boxRadius: Int

    /// Returns the blurred image.
    func blur(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        bitmap.hasAlpha ? try blurPremultiplied(bitmap, for: request) : try blurOpaque(bitmap, for: request)
    }

    private func blurOpaque(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let size = bitmap.size
        let storage = try PixelStorage(size, limits: request.context.limits, isUninitialized: true)
        guard let pixels = unsafe storage.bytes.baseAddress else { return bitmap }
        let words = unsafe UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: UInt32.self)
        try unsafe bitmap.withWords { source in
            for y in 0..<size.height {
                try request.checkCancellation()
                let row = (y * size.width)..<((y + 1) * size.width)
                _ = unsafe words.extracting(row).update(fromContentsOf: source[row])
            }
        }
        let filter = BoxFilter<UInt8>(size: size, boxRadius: boxRadius)
        for _ in 0..<3 { try unsafe filter.filter(pixels, checkCancellation: request.checkCancellation) }
        return Bitmap(size, hasAlpha: false, adopting: storage)
    }

    private func blurPremultiplied(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let pixels = try WidePixels(bitmap.size, limits: request.context.limits)
        try unsafe bitmap.withWords { words in
            for y in 0..<bitmap.size.height {
                try request.checkCancellation()
                for index in (y * bitmap.size.width)..<((y + 1) * bitmap.size.width) {
                    unsafe pixels[index] = words[index].widePremultiplied
                }
            }
        }
        try pixels.blur(boxRadius: boxRadius, checkCancellation: request.checkCancellation)
        var next = 0
        return try unsafe bitmap.mapRows(hasAlpha: true, for: request) { _, to in
            for x in to.indices {
                unsafe to[x] = pixels[next].straightWord
                next += 1
            }
        }
    }
}

extension UInt32 {
    /// The channels of this pixel times alpha, rounded, where 65535 stands for 1.
    @inline(__always) fileprivate var widePremultiplied: SIMD4<UInt16> {
        // Integers below 2¹⁶, which are 255 times too large. The remaining product is a small number, so that single
        // precision rounds it correctly.
        let product = (self | UInt32(littleEndian: 0xFF00_0000)).channels * Float(UInt32(littleEndian: self) >> 24)
        let rounded = product + (product * (2 / 255) + PixelBlock.magic - PixelBlock.magic)
        // Both have 16 bytes. The low bits of a number that `magic` was added to are its integer.
        return SIMD4(truncatingIfNeeded: unsafe unsafeBitCast(rounded + PixelBlock.magic, to: SIMD4<UInt32>.self))
    }
}

extension SIMD4<UInt16> {
    /// The pixel of these premultiplied channels.
    @inline(__always) fileprivate var straightWord: UInt32 {
        guard w > 0 else { return 0 }
        let bits = SIMD4<UInt32>(truncatingIfNeeded: self) | PixelBlock.magic.bitPattern
        // Both have 16 bytes, and these are the bits of `magic` plus the integer.
        let channels = unsafe unsafeBitCast(bits, to: SIMD4<Float>.self) - PixelBlock.magic
        var straight = channels * 255 / channels.w
        straight.w = channels.w * (1 / 257)
        return straight.word
    }
}
