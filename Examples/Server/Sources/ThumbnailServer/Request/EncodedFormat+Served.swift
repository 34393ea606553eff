import Darkroom

extension EncodedFormat {
    /// Returns the rule for `format`, or for the most suitable one of the server's formats if it is `nil`.
    ///
    /// It refuses images with more pixels than the limit of `settings`.
    static func served(_ format: ImageFormat?, settings: ThumbnailSettings) -> EncodedFormat {
        let (formats, pixelLimit) = (settings.formats, settings.pixelLimit)
        let names = formats.map(\.fileExtension).sorted().joined(separator: "+")
        return EncodedFormat(identifier: format?.fileExtension ?? "source of \(names)") { image in
            guard image.size.pixelCount <= pixelLimit else {
                throw ImageError(
                    .overLimit, .transform, "the response has \(image.size) pixels, and the limit is \(pixelLimit)")
            }
            return format ?? image.servedFormat(among: formats)
        }
    }
}

extension Image {
    /// The format of the source, if it is one of `formats` that all browsers display and that can represent the image;
    /// otherwise the first of `formats` that suits the image.
    fileprivate func servedFormat(among formats: [ImageFormat]) -> ImageFormat {
        let source = info.format
        if formats.contains(source), source != .webp, source != .jpeg || !bitmap.hasAlpha { return source }
        let preferred: [ImageFormat] =
            animation != nil
            ? [.gif, .webp, .png, .jpeg]
            : bitmap.hasAlpha ? [.png, .webp, .gif, .jpeg] : [.jpeg, .png, .webp, .gif]
        return preferred.first { formats.contains($0) } ?? source
    }
}
