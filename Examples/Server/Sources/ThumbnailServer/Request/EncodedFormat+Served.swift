import Darkroom

extension EncodedFormat {
    /// Returns the rule for an output format.
    ///
    /// It refuses images with more pixels than the limit of `settings`.
    static func served(_ format: OutputFormat, settings: ThumbnailSettings) -> EncodedFormat {
        let (formats, pixelLimit) = (settings.formats, settings.pixelLimit)
        let names = formats.map(\.fileExtension).sorted().joined(separator: "+")
        return EncodedFormat(identifier: format.identifier(among: names)) { image in
            guard image.size.pixelCount <= pixelLimit else {
                throw ImageError(
                    .overLimit, .transform, "the response has \(image.size) pixels, and the limit is \(pixelLimit)")
            }
            switch format {
            case .fixed(let format): return format
            case .webP where ImageFormat.webp.holds(image): return .webp
            case .webP, .source: return image.servedFormat(among: formats)
            }
        }
    }
}

/// The output format of a request.
enum OutputFormat: Equatable {
    /// The one that the path names.
    case fixed(ImageFormat)
    /// WebP, which the client accepts, unless it cannot represent the image.
    case webP
    /// That of the source, unless only some clients display it or it cannot represent the image.
    case source

    /// Returns the identifier of the rule for a server with the formats `names`.
    fileprivate func identifier(among names: String) -> String {
        switch self {
        case .fixed(let format): format.fileExtension
        case .webP: "webp or source of \(names)"
        case .source: "source of \(names)"
        }
    }
}

extension Image {
    /// The format of the source, if it is one of `formats` that all clients display and that can represent the size of the
    /// image; otherwise the first of `formats` that suits the image.
    ///
    /// An image that has become transparent stays a JPEG, on the background of the request.
    fileprivate func servedFormat(among formats: [ImageFormat]) -> ImageFormat {
        let formats = formats.filter { $0.holds(self) }
        let source = info.format
        if formats.contains(source), source != .webp { return source }
        let preferred: [ImageFormat] =
            animation != nil
            ? [.gif, .webp, .png, .jpeg]
            : bitmap.hasAlpha ? [.png, .webp, .gif, .jpeg] : [.jpeg, .png, .webp, .gif]
        return preferred.first { formats.contains($0) } ?? source
    }
}

extension ImageFormat {
    /// Returns whether a file of this format can have the sides of `image`.
    fileprivate func holds(_ image: Image) -> Bool {
        let side = max(image.size.width, image.size.height)
        switch self {
        case .webp: return side <= 16_383
        case .jpeg: return side <= 65_500
        case .gif: return side <= 65_535
        default: return true
        }
    }
}
