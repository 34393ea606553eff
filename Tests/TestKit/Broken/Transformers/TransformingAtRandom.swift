import DarkroomCore

/// It inverts as the dice fall.
struct TransformingAtRandom: NearlySoundTransformer {
    func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try inverted(bitmap, request, by: .random(in: 0...255))
    }
}
