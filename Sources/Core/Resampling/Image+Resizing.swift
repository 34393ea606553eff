extension Image {
    /// Returns the image scaled to `size`. Frames of its animation are scaled when they are decoded.
    func resized(
        to size: PixelSize, limits: DecodeLimits, checkCancellation: () throws -> Void
    ) throws -> Image {
        Image(
            info: info, bitmap: try bitmap.resized(to: size, limits: limits, checkCancellation: checkCancellation),
            animation: animation?.map { try $0.resized(to: size, limits: limits) }, metadata: metadata)
    }

    /// Returns the image at the size at which `context` delivers one with the header `info`.
    func resized(
        for context: ImageContext, of info: ImageInfo, checkCancellation: () throws -> Void
    ) throws -> Image {
        try resized(
            to: context.scaledSize(of: info), limits: context.limits, checkCancellation: checkCancellation
        ).center(context.deliveredSize(of: info))
    }

    /// Returns the `size` pixels in the centre of the image and of its frames.
    private func center(_ size: PixelSize) -> Image {
        guard size != self.size else { return self }
        return Image(
            info: info, bitmap: bitmap.center(size), animation: animation?.map { $0.center(size) }, metadata: metadata)
    }
}
