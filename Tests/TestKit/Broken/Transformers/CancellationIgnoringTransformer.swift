import DarkroomCore

/// A transformer that completes although the request is cancelled.
struct CancellationIgnoringTransformer: InvertingTransformer {
    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try inverted(bitmap, TransformRequest(context: request.context))
    }
}
