import DarkroomCore

/// A transformer that omits its parameter from its identifier.
struct ParameterOmittingTransformer: InvertingTransformer {
    let amount: UInt8

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try inverted(bitmap, request, by: amount)
    }
}
