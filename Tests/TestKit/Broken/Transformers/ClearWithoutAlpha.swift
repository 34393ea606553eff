import DarkroomCore

/// It makes pixels clear in a picture that has no alpha.
struct ClearWithoutAlpha: NearlySoundTransformer {
    func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try request.checkCancellation()
        return try Bitmap(bitmap.size, hasAlpha: false) { _ in }
    }
}
