import DarkroomCore

/// It goes on for a caller who has left.
struct TransformingForNobody: NearlySoundTransformer {
    func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try inverted(bitmap, TransformRequest(context: request.context))
    }
}
