import DarkroomCore

/// A transformer that inverts colours, save what a broken one does otherwise.
protocol NearlySoundTransformer: ImageTransformer {}

extension NearlySoundTransformer {
    var identifier: String { "Inverting" }

    /// What a sound one makes.
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

    func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap { try inverted(bitmap, request) }
}

/// What a `NearlySoundTransformer` is when nothing is wrong with it.
struct SoundTransformer: NearlySoundTransformer {}
