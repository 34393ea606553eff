/// The conversion between pixels and premultiplied linear light, which ranges from 0 to 1 before the multiplication by
/// alpha.
enum LinearLightKernels {
    /// Converts pixels to premultiplied linear light.
    static func premultiply(
        _ pixels: UnsafePointer<UInt8>, count: Int, hasAlpha: Bool, into products: UnsafeMutablePointer<Float>
    ) {
        unsafe LinearLight.linearFromSRGB.withUnsafeBufferPointer { light in
            for x in 0..<count {
                let alpha = unsafe hasAlpha ? Float(pixels[4 * x + 3]) : 255
                for channel in 0..<3 {
                    unsafe products[4 * x + channel] = light[Int(pixels[4 * x + channel])] * alpha
                }
                unsafe products[4 * x + 3] = alpha
            }
        }
    }

    /// Converts premultiplied linear light, which may be out of range, to pixels with straight alpha. Colour under
    /// alpha 0 becomes zero.
    static func unpremultiply(
        _ products: UnsafePointer<Float>, count: Int, hasAlpha: Bool, into pixels: UnsafeMutablePointer<UInt8>
    ) {
        let values = LinearLight.sRGBValues
        for x in 0..<count {
            let product = unsafe UnsafeRawPointer(products + 4 * x).loadUnaligned(as: SIMD4<Float>.self)
            // Before it is clamped, because the colours have overshot by the same factor.
            let alpha = hasAlpha ? product.w : 255
            let isVisible = alpha >= 0.5
            let light = product / alpha
            for channel in 0..<3 { unsafe pixels[4 * x + channel] = isVisible ? values.value(of: light[channel]) : 0 }
            unsafe pixels[4 * x + 3] = isVisible ? UInt8(min(alpha, 255) + 0.5) : 0
        }
    }
}
