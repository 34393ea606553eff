import DarkroomCore

/// A transformer that returns transparent pixels in a bitmap without alpha.
struct ClearPixelTransformer: InvertingTransformer {
    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try request.checkCancellation()
        return try Bitmap(bitmap.size, hasAlpha: false) { _ in }
    }
}
