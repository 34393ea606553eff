#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The decoding of one image by a coder, with everything that Core adds: it checks the limits, determines the target
/// size, and delivers pixels of exactly that size, in sRGB and upright.
struct Decoding {
    private let coder: any ImageCoder
    let request: DecodeRequest

    /// Reads the header of `source`. Throws an error if the limits of `context` forbid decoding the image.
    init(_ source: InfoRequest, coder: any ImageCoder, context: ImageContext, converter: (any ColorConverter)?) throws {
        let info = try coder.info(of: source)
        try context.limits.check(info)
        let target = context.scaledSize(of: info)
        self.coder = coder
        request = DecodeRequest(
            source, info: info, target: info.orientation.applied(to: target), context: context,
            colorConverter: converter)
        try request.checkCancellation()
    }

    /// Reads the header of `source` with the coder of `coders` that accepts its bytes.
    init(_ source: InfoRequest, coders: CoderRegistry, context: ImageContext) throws {
        try self.init(
            source, coder: try coders.coder(for: source.data), context: context, converter: coders.colorConverter)
    }

    /// Returns the decoded image. `incomplete` marks it as decoded from an incomplete file.
    func image(incomplete: Bool = false) throws -> Image {
        var finisher = request.makeFinisher()
        var image = image(try finisher.finish(try coder.decode(request)), isConverted: finisher.convertsColors)
        image.metadata.isIncomplete = incomplete
        return image
    }

    /// Returns a finisher of the bitmaps of this image.
    func makeFinisher() -> BitmapFinisher { request.makeFinisher() }

    /// Returns a preview decoder; `nil` if the coder does not support progressive decoding.
    func makePreviewDecoder() throws -> (any PreviewDecoder)? {
        try (coder as? any ProgressiveImageCoder)?.makePreviewDecoder(request)
    }

    /// Returns the image with `bitmap`, which is finished, as its first frame.
    func image(_ bitmap: Bitmap, isConverted: Bool) -> Image {
        var metadata = Image.Metadata()
        metadata.thumbnail = request.context.thumbnail.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
        metadata.iccProfile = isConverted ? nil : request.deliveredProfile
        metadata.notes = request.notes
        return Image(info: request.info, bitmap: bitmap, animation: animation(), metadata: metadata)
    }

    private func animation() -> Animation? {
        guard request.info.frameCount > 1, !request.context.firstFrameOnly,
            let coder = coder as? any AnimatedImageCoder
        else { return nil }
        let source = request.forFrames
        return Animation(
            loopCount: source.info.loopCount, frameDurations: source.info.frameDurations, byteCount: source.data.count
        ) {
            // Each decoder has its own clock, which starts now.
            let request = source.forFrames
            return FinishingFrameDecoder(base: try coder.makeFrameDecoder(request), request: request)
        }
    }
}

extension ImageContext {
    /// Returns the upright size to which an image with this header is scaled, by SDWebImage's rules.
    func scaledSize(of info: ImageInfo) -> PixelSize {
        if let byteCount = scaleDownByteCount {
            return info.size.scaled(toByteCount: byteCount, frameCount: firstFrameOnly ? 1 : info.frameCount)
        }
        guard let thumbnail else { return info.size }
        return thumbnail.scaledSize(for: info.size, mayEnlarge: info.isScalable)
    }

    /// Returns the upright size at which an image with this header is delivered: the scaled size, or the centre of it that
    /// a thumbnail keeps.
    func deliveredSize(of info: ImageInfo) -> PixelSize {
        guard scaleDownByteCount == nil, let thumbnail else { return scaledSize(of: info) }
        return thumbnail.size(for: info.size, mayEnlarge: info.isScalable)
    }
}

extension PixelSize {
    /// Returns this size, or a smaller one of the same aspect ratio, at which the pixels of all frames take at most
    /// `byteCount` bytes.
    func scaled(toByteCount byteCount: Int, frameCount: Int) -> PixelSize {
        let pixelCount = byteCount / 4 / max(frameCount, 1)
        let ratio = Double(height) / Double(width)
        let newWidth = (Double(pixelCount) / ratio).squareRoot()
        let bound = Thumbnail.fit(
            max(1, newWidth.rounded(.down)), max(1, (newWidth * ratio).rounded(.down)))
        return bound.size(for: self)
    }
}
