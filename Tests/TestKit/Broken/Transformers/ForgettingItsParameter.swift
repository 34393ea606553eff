import DarkroomCore

/// Its identifier does not tell how much it inverts.
struct ForgettingItsParameter: NearlySoundTransformer {
    let amount: UInt8

    func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try inverted(bitmap, request, by: amount)
    }
}
