import DarkroomCore

/// A transformer that throws an error of its own for images of one row.
struct SmallImageFailingTransformer: InvertingTransformer {
    struct TooSmall: Error {}

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        guard bitmap.size.height > 1 else { throw TooSmall() }
        return try inverted(bitmap, request)
    }
}
