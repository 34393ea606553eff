public import DarkroomCore

/// Applies a function to each pixel, in linear light.
public struct Filter: ImageTransformer {
    private let name: String
    private let pixel: @Sendable (SIMD4<Float>) -> SIMD4<Float>

    /// Creates a filter that is identified by `name` in cache keys.
    ///
    /// `pixel` takes and returns linear red, green and blue, and alpha, straight, 0 to 1. Its results are clamped to 0
    /// to 1, and NaN counts as 0.
    public init(_ name: String, _ pixel: @escaping @Sendable (SIMD4<Float>) -> SIMD4<Float>) {
        self.name = name
        self.pixel = pixel
    }

    /// The name, such as `Filter(CIColorInvert)`.
    public var identifier: String { "Filter(\(name))" }

    /// Returns the filtered image. It has alpha if the original had, or if a pixel is no longer opaque.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let lights = LinearLight.linearFromSRGB
        let values = LinearLightTable()
        var everyPixel = ~UInt32(0)
        let result = try unsafe bitmap.mapRows(hasAlpha: true, for: request) { from, to in
            for x in from.indices {
                let word = unsafe UInt32(littleEndian: from[x])
                let light = SIMD4(
                    lights[Int(word & 255)], lights[Int(word >> 8 & 255)], lights[Int(word >> 16 & 255)],
                    Float(word >> 24) / 255)
                let filtered = pixel(light)
                let lit = filtered * LinearLightTable.white
                let alpha = UInt32(min(filtered.w > 0 ? filtered.w : 0, 1) * 255 + 0.5)
                let result =
                    UInt32(values[lit.x]) | UInt32(values[lit.y]) << 8 | UInt32(values[lit.z]) << 16 | alpha << 24
                everyPixel &= result
                unsafe to[x] = UInt32(littleEndian: result)
            }
        }
        return result.with(alpha: bitmap.hasAlpha || everyPixel >> 24 < 255)
    }
}

extension ImageTransformer where Self == Filter {
    /// Applies `pixel` to each pixel, which takes and returns straight RGBA in linear light; `name` identifies the
    /// function.
    public static func filter(
        _ name: String, _ pixel: @escaping @Sendable (SIMD4<Float>) -> SIMD4<Float>
    ) -> Filter {
        Filter(name, pixel)
    }

    /// Inverts each channel in linear light, as the Core Image filter of this name does.
    public static var colorInvert: Filter {
        Filter("CIColorInvert") { SIMD4(1 - $0.x, 1 - $0.y, 1 - $0.z, $0.w) }
    }
}
