import DarkroomCore

/// One row is too few for it, and it says so in its own words.
struct FailingAtSmallPictures: NearlySoundTransformer {
    struct TooSmall: Error {}

    func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        guard bitmap.size.height > 1 else { throw TooSmall() }
        return try inverted(bitmap, request)
    }
}
