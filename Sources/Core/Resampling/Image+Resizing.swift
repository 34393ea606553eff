extension Image {
    /// Returns the image scaled to `size`. Frames of its animation are scaled when they are decoded.
    func resized(
        to size: PixelSize, inLinearLight: Bool = false, limits: DecodeLimits, checkCancellation: () throws -> Void
    ) throws -> Image {
        Image(
            info: info,
            bitmap: try bitmap.resized(
                to: size, inLinearLight: inLinearLight, limits: limits, checkCancellation: checkCancellation),
            animation: animation?.map { try $0.resized(to: size, inLinearLight: inLinearLight, limits: limits) },
            metadata: metadata)
    }

    /// Returns the image at the size at which `context` delivers one with the header `info`.
    func resized(
        for context: ImageContext, of info: ImageInfo, checkCancellation: () throws -> Void
    ) throws -> Image {
        let thumbnail = context.thumbnail
        return try resized(
            to: context.scaledSize(of: info), inLinearLight: thumbnail?.inLinearLight ?? false, limits: context.limits,
            checkCancellation: checkCancellation
        ).cropped(to: context.deliveredSize(of: info), around: thumbnail?.focus ?? .center)
    }

    /// Returns the `size` pixels of the image and of its frames around `focus`.
    private func cropped(to size: PixelSize, around focus: Thumbnail.Focus) -> Image {
        guard size != self.size else { return self }
        return Image(
            info: info, bitmap: bitmap.cropped(to: size, around: focus),
            animation: animation?.map { $0.cropped(to: size, around: focus) }, metadata: metadata)
    }
}
