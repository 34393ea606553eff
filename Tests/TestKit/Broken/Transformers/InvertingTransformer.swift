import DarkroomCore

/// A transformer that inverts colours, except for the defect that a conforming type adds.
protocol InvertingTransformer: ImageTransformer {}

extension InvertingTransformer {
    var identifier: String { "Inverting" }

    /// Returns the result of a transformer without a defect.
    func inverted(_ bitmap: Bitmap, _ request: TransformRequest, by amount: UInt8 = 255) throws -> Bitmap {
        try Bitmap(bitmap.size, hasAlpha: bitmap.hasAlpha, limits: request.context.limits) { pixels in
            try bitmap.withPixels { source in
                for index in pixels.indices {
                    if index % (bitmap.size.width * 4) == 0 { try request.checkCancellation() }
                    pixels[index] = index % 4 == 3 ? source[index] : source[index] ^ amount
                }
            }
        }
    }

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap { try inverted(bitmap, request) }
}

/// An `InvertingTransformer` without a defect.
struct SoundTransformer: InvertingTransformer {}
