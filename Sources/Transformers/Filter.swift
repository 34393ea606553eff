public import DarkroomCore

/// Changes each pixel by a function of the pixel, in linear light.
public struct Filter: ImageTransformer {
    private let name: String
    private let pixel: @Sendable (SIMD4<Float>) -> SIMD4<Float>

    /// A filter whose `name` stands for what it does in cache keys.
    ///
    /// `pixel` gets red, green and blue as light, and alpha, straight and 0 to 1, and answers the same. What it answers
    /// is cut to 0 to 1, and NaN counts as 0.
    public init(_ name: String, _ pixel: @escaping @Sendable (SIMD4<Float>) -> SIMD4<Float>) {
        self.name = name
        self.pixel = pixel
    }

    /// The name, such as `Filter(CIColorInvert)`.
    public var identifier: String { "Filter(\(name))" }

    /// The filtered picture. It has alpha if it had, or if a pixel is no longer opaque.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        let lights = LinearLight.ofValues
        let values = LightValues()
        var everyPixel = ~UInt32(0)
        let result = try unsafe bitmap.mapRows(hasAlpha: true, request) { from, to in
            for x in from.indices {
                let word = unsafe UInt32(littleEndian: from[x])
                let light = SIMD4(
                    lights[Int(word & 255)], lights[Int(word >> 8 & 255)], lights[Int(word >> 16 & 255)],
                    Float(word >> 24) / 255)
                let filtered = pixel(light)
                let lit = filtered * LightValues.white
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
    /// Changes each pixel by `pixel`, which gets and answers straight RGBA in linear light; `name` says what it does.
    public static func filter(
        _ name: String, _ pixel: @escaping @Sendable (SIMD4<Float>) -> SIMD4<Float>
    ) -> Filter {
        Filter(name, pixel)
    }

    /// Inverts the light of each channel, as Core Image's filter of that name does.
    public static var colorInvert: Filter {
        Filter("CIColorInvert") { SIMD4(1 - $0.x, 1 - $0.y, 1 - $0.z, $0.w) }
    }
}
