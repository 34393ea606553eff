extension Image {
    /// Returns the image scaled to `size`. Frames of its animation are scaled when they are decoded.
    func resized(
        to size: PixelSize, limits: DecodeLimits, checkCancellation: () throws -> Void
    ) throws -> Image {
        Image(
            info: info, bitmap: try bitmap.resized(to: size, limits: limits, checkCancellation: checkCancellation),
            animation: animation?.map { try $0.resized(to: size, limits: limits) }, metadata: metadata)
    }
}
