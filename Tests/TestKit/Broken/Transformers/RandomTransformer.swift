import DarkroomCore

/// A transformer that inverts by a random amount.
struct RandomTransformer: InvertingTransformer {
    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try inverted(bitmap, request, by: .random(in: 0...255))
    }
}
