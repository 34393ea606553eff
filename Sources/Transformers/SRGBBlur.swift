import DarkroomCore

/// Three box filters on the stored values, rounded to 8 bits after each.
struct SRGBBlur {
    /// The number of pixels that a box extends beyond its centre.
    let boxRadius: Int

    /// Returns the blurred image.
    func blur(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let size = bitmap.size
        let storage = try PixelStorage(size, limits: request.context.limits, isUninitialized: true)
        guard let pixels = unsafe storage.bytes.baseAddress else { return bitmap }
        let words = unsafe UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: UInt32.self)
        try unsafe bitmap.withWords { source in
            for row in rows(size) {
                try request.checkCancellation()
                let (from, to) = unsafe (UnsafeBufferPointer(rebasing: source[row]), words.extracting(row))
                if bitmap.hasAlpha {
                    unsafe from.mapBlocks(to: to, premultiplied)
                } else {
                    _ = unsafe to.update(fromContentsOf: from)
                }
            }
        }
        let filter = BoxFilter<UInt8>(size: size, boxRadius: boxRadius)
        for _ in 0..<3 { try unsafe filter.filter(pixels, checkCancellation: request.checkCancellation) }
        if bitmap.hasAlpha {
            for row in rows(size) {
                try request.checkCancellation()
                let to = words.extracting(row)
                unsafe UnsafeBufferPointer(to).mapBlocks(to: to, straight)
            }
        }
        return Bitmap(size, hasAlpha: bitmap.hasAlpha, adopting: storage)
    }

    private func rows(_ size: PixelSize) -> some Sequence<Range<Int>> {
        (0..<size.height).lazy.map { ($0 * size.width)..<(($0 + 1) * size.width) }
    }

    @inline(__always) private func premultiplied(_ words: SIMD8<UInt32>) -> SIMD8<UInt32> {
        let alpha = words &>> 24
        func product(_ shift: UInt32) -> SIMD8<UInt32> {
            // The product divided by 255 and rounded.
            let product = (words &>> shift & 255) &* alpha &+ 128
            return ((product &+ (product &>> 8)) &>> 8) &<< shift
        }
        return product(0) | product(8) | product(16) | words & 0xFF00_0000
    }

    @inline(__always) private func straight(_ words: SIMD8<UInt32>) -> SIMD8<UInt32> {
        var block = PixelBlock(words)
        let alpha = block.alpha.replacing(with: 1, where: block.alpha .< 1)
        block.red = block.red * 255 / alpha
        block.green = block.green * 255 / alpha
        block.blue = block.blue * 255 / alpha
        return block.colorWords | words & 0xFF00_0000
    }
}
