import DarkroomCore

/// A transformer that returns frames of different sizes.
struct FrameCroppingTransformer: InvertingTransformer {
    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let inverted = try inverted(bitmap, request)
        let height = Int(bitmap.withPixels { $0[$0.count / 2] }) % bitmap.size.height + 1
        return try inverted.resized(to: PixelSize(bitmap.size.width, height), limits: request.context.limits)
    }
}
