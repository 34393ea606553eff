import Darkroom

extension EncodedFormat {
    /// Returns the rule for an output format, and for files that are encoded up to `encodeCount` times.
    ///
    /// It refuses images with more pixels than the limit of `settings`.
    static func served(_ format: OutputFormat, settings: ThumbnailSettings, encodeCount: Int) -> EncodedFormat {
        let (formats, pixelLimit) = (settings.formats, settings.pixelLimit)
        let names = formats.map(\.fileExtension).sorted().joined(separator: "+")
        return EncodedFormat(identifier: format.identifier(among: names, encodeCount: encodeCount)) { image in
            guard image.size.pixelCount <= pixelLimit else {
                throw ImageError(
                    .overLimit, .transform, "the response has \(image.size) pixels, and the limit is \(pixelLimit)")
            }
            return format.format(of: image, among: formats, encodeCount: encodeCount)
        }
    }
}

/// The output format of a request.
enum OutputFormat: Equatable {
    /// The one that the path names.
    case fixed(ImageFormat)
    /// The first of these, which the client accepts, that suits the image; otherwise that of the source, unless only some
    /// clients display it or it cannot represent the image.
    case negotiated([ImageFormat])

    /// Whether files of the format have only one frame, whatever the image is.
    var isStill: Bool {
        if case .fixed(let format) = self { [.jpeg, .avif, .bmp, .ico].contains(format) } else { false }
    }

    /// Returns the format of the response for `image`, by a server with `formats` that encodes it up to `encodeCount` times.
    func format(of image: Image, among formats: [ImageFormat], encodeCount: Int = 1) -> ImageFormat {
        switch self {
        case .fixed(let format): format
        case .negotiated(let wanted):
            wanted.first { $0.suits(image, encodeCount: encodeCount) } ?? image.servedFormat(among: formats)
        }
    }

    /// Returns the identifier of the rule for a server with the formats `names`.
    fileprivate func identifier(among names: String, encodeCount: Int) -> String {
        switch self {
        case .fixed(let format): format.fileExtension
        case .negotiated(let wanted):
            (wanted.map(\.fileExtension) + ["source of \(names)"]).joined(separator: " or ")
                + (encodeCount == 1 ? "" : " by \(encodeCount) encodes")
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
        if formats.contains(source), [.jpeg, .png, .gif].contains(source) { return source }
        let preferred: [ImageFormat] =
            animation != nil
            ? [.gif, .webp, .png, .jpeg]
            : bitmap.hasAlpha ? [.png, .webp, .gif, .jpeg] : [.jpeg, .png, .webp, .gif]
        return (preferred + ImageFormat.written).first { formats.contains($0) } ?? source
    }
}

extension ImageFormat {
    /// The largest number of pixels that are encoded as AVIF unasked, in all encodes of a file, because that takes many times
    /// as long as JPEG.
    static let avifPixelLimit = 4_000_000

    /// Returns whether a file of this format can have the sides of `image`, and its frames if it is an AVIF, for which the
    /// time of `encodeCount` encodes must not be too long either.
    fileprivate func suits(_ image: Image, encodeCount: Int) -> Bool {
        guard self == .avif else { return holds(image) }
        return holds(image) && image.animation == nil && image.size.pixelCount <= Self.avifPixelLimit / encodeCount
    }

    /// Returns whether a file of this format can have the sides of `image`.
    fileprivate func holds(_ image: Image) -> Bool {
        let side = max(image.size.width, image.size.height)
        switch self {
        case .webp: return side <= 16_383
        case .jpeg: return side <= 65_500
        case .gif: return side <= 65_535
        case .avif: return side <= 65_536
        case .ico: return side <= 256
        default: return true
        }
    }
}
