import DarkroomCore

/// Three box filters over the values as they are stored, rounded to 8 bits after each.
struct ValueBlur {
    /// How many pixels a box goes beyond its middle.
    let reach: Int

    /// The blurred picture.
    func blur(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        let size = bitmap.size
        let filter = BoxFilter<UInt8>(size: size, reach: reach)
        let premultiplied = try bitmap.hasAlpha ? premultiply(bitmap, request) : bitmap
        let (first, second) = try (
            PixelStorage(size, limits: request.context.limits), PixelStorage(size, limits: request.context.limits)
        )
        try unsafe premultiplied.withWords { words in
            guard let words = unsafe UnsafeRawPointer(words.baseAddress)?.assumingMemoryBound(to: UInt8.self),
                let first = unsafe first.bytes.baseAddress, let second = unsafe second.bytes.baseAddress
            else { return }
            try unsafe filter.filter(words, to: first, checkCancellation: request.checkCancellation)
            try unsafe filter.filter(first, to: second, checkCancellation: request.checkCancellation)
            try unsafe filter.filter(second, to: first, checkCancellation: request.checkCancellation)
        }
        let blurred = Bitmap(size, hasAlpha: bitmap.hasAlpha, adopting: first)
        return try bitmap.hasAlpha ? unpremultiply(blurred, request) : blurred
    }

    private func premultiply(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try bitmap.mapBlocks(hasAlpha: true, request) { words in
            let alpha = words &>> 24
            func product(_ shift: UInt32) -> SIMD8<UInt32> {
                // The product divided by 255 and rounded.
                let product = (words &>> shift & 255) &* alpha &+ 128
                return ((product &+ (product &>> 8)) &>> 8) &<< shift
            }
            return product(0) | product(8) | product(16) | words & 0xFF00_0000
        }
    }

    private func unpremultiply(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try bitmap.mapBlocks(hasAlpha: true, request) { words in
            var block = PixelBlock(words)
            let alpha = block.alpha.replacing(with: 1, where: block.alpha .< 1)
            block.red = block.red * 255 / alpha
            block.green = block.green * 255 / alpha
            block.blue = block.blue * 255 / alpha
            return block.colorWords | words & 0xFF00_0000
        }
    }
}
