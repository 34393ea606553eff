import DarkroomCore

/// Three box filters in linear light, with 16 bits for each channel.
struct LinearLightBlur {
    /// The number of pixels that a box extends beyond its centre.
    let boxRadius: Int

    /// Returns the blurred image.
    func blur(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let light = try WidePixels(bitmap.size, limits: request.context.limits)
        try write(bitmap, to: light, for: request)
        try light.blur(boxRadius: boxRadius, checkCancellation: request.checkCancellation)
        return try read(light, like: bitmap, for: request)
    }

    /// Writes the pixels in linear light, premultiplied.
    private func write(_ bitmap: Bitmap, to pixels: WidePixels, for request: TransformRequest) throws {
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
                    pixels[index] = SIMD4(
                        UInt16(rounded.x), UInt16(rounded.y), UInt16(rounded.z), UInt16(rounded.w))
                }
            }
        }
    }

    private func read(_ pixels: WidePixels, like bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let values = LinearLightTable()
        var next = 0
        return try unsafe bitmap.mapRows(hasAlpha: bitmap.hasAlpha, for: request) { _, to in
            for x in to.indices {
                let light = pixels[next]
                let alpha = Float(light.w)
                let factor = alpha > 0 ? LinearLightTable.white / alpha : 0
                var word = UInt32(alpha * 255 / LinearLightTable.white + 0.5) << 24
                for channel in 0..<3 {
                    word |= UInt32(values[Float(light[channel]) * factor]) << UInt32(channel * 8)
                }
                unsafe to[x] = UInt32(littleEndian: word)
                next += 1
            }
        }
    }
}
