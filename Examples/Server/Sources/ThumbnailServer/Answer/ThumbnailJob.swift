import Darkroom
import Foundation

/// One representation that is wanted: of which picture, what of it, and how it is written.
struct ThumbnailJob: Sendable {
    /// Where the picture is.
    let url: URL

    /// What is to be made of it.
    let context: ImageContext

    /// The format to write; `nil` for that of the source, if the server writes it.
    let format: ImageFormat?

    /// The formats that may be written.
    let formats: [ImageFormat]

    /// The quality of what is written lossy, 0 to 1.
    let quality: Double

    /// The colour behind pictures that become JPEG.
    let background: Color

    /// What caches know the representation by; `nil` when a key filter keeps the picture out of them.
    func key(_ manager: ImageManager) -> CacheKey? {
        guard let key = manager.key(for: url, context: context) else { return nil }
        let name = format?.fileExtension ?? "source"
        return CacheKey(source: key.source, variant: key.variant + ["Written(\(name),\(quality),\(background))"])
    }

    /// The format to write `image` in: without one that was asked for, that of the source if it holds all of the image.
    func format(for image: Image) -> ImageFormat {
        if let format { return format }
        let source = image.info.format
        let holdsAll = source != .jpeg || !image.bitmap.hasAlpha
        if formats.contains(source), source != .webp, holdsAll { return source }
        let preferred: [ImageFormat] =
            image.animation != nil
            ? [.gif, .webp, .png, .jpeg]
            : image.bitmap.hasAlpha ? [.png, .webp, .gif, .jpeg] : [.jpeg, .png, .webp, .gif]
        return preferred.first { formats.contains($0) } ?? source
    }

    /// How `image` is written as `format`, within `limits`.
    func encoding(_ image: Image, as format: ImageFormat, _ limits: DecodeLimits) -> ImageContext {
        ImageContext {
            $0.limits = limits
            $0.quality = quality
            $0.firstFrameOnly = format == .jpeg
            $0.background = format == .jpeg && image.bitmap.hasAlpha ? background : nil
        }
    }
}
