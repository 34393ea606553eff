import DarkroomCore

/// Three box filters in linear light, with 16 bits for each channel.
struct LinearLightBlur {
    /// The number of pixels that a box extends beyond its centre.
    let boxRadius: Int

    /// Returns the blurred image.
    func blur(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let (size, limits) = (bitmap.size, request.context.limits)
        // Each pixel takes the memory of two.
        let wide = PixelSize(size.width * 2, size.height)
        let storage = try PixelStorage(wide, limits: limits, isUninitialized: true)
        let light = unsafe storage.samples
        try unsafe write(bitmap, to: light, for: request)
        let filter = BoxFilter<UInt16>(size: size, boxRadius: boxRadius)
        for _ in 0..<3 { try unsafe filter.filter(light, checkCancellation: request.checkCancellation) }
        return try withExtendedLifetime(storage) { try unsafe read(light, like: bitmap, for: request) }
    }

    /// Writes the pixels in linear light, premultiplied.
    private func write(_ bitmap: Bitmap, to samples: UnsafeMutablePointer<UInt16>, for request: TransformRequest) throws
    {
        let lights = LinearLight.linearFromSRGB.map { $0 * LinearLightTable.white }
        try unsafe bitmap.withWords { words in
            for y in 0..<bitmap.size.height {
                try request.checkCancellation()
                for index in (y * bitmap.size.width)..<((y + 1) * bitmap.size.width) {
                    let word = unsafe UInt32(littleEndian: words[index])
                    let light = SIMD4(
                        lights[Int(word & 255)], lights[Int(word >> 8 & 255)], lights[Int(word >> 16 & 255)],
                        LinearLightTable.white)
                    let rounded = light * (Float(word >> 24) / 255) + 0.5
                    for channel in 0..<4 { unsafe samples[index * 4 + channel] = UInt16(rounded[channel]) }
                }
            }
        }
    }

    private func read(
        _ samples: UnsafeMutablePointer<UInt16>, like bitmap: Bitmap, for request: TransformRequest
    ) throws -> Bitmap {
        let values = LinearLightTable()
        var next = 0
        return try unsafe bitmap.mapRows(hasAlpha: bitmap.hasAlpha, for: request) { _, to in
            for x in to.indices {
                let alpha = unsafe Float(samples[next + 3])
                let factor = alpha > 0 ? LinearLightTable.white / alpha : 0
                var word = UInt32(alpha * 255 / LinearLightTable.white + 0.5) << 24
                for channel in 0..<3 {
                    let light = unsafe Float(samples[next + channel]) * factor
                    word |= UInt32(values[light]) << UInt32(channel * 8)
                }
                unsafe to[x] = UInt32(littleEndian: word)
                next += 4
            }
        }
    }
}

extension PixelStorage {
    /// The memory as 16-bit integers.
    fileprivate var samples: UnsafeMutablePointer<UInt16> {
        guard let base = unsafe UnsafeMutableRawPointer(bytes.baseAddress) else {
            preconditionFailure("a bitmap has pixels")
        }
        return unsafe base.assumingMemoryBound(to: UInt16.self)
    }
}
