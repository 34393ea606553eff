import DarkroomPlatform

/// The decoding of one image by a coder, with everything that Core adds: it checks the limits, determines the target
/// size, and delivers pixels of exactly that size, in sRGB or the space of the context, and upright.
package struct Decoding {
    private let coder: any ImageCoder
    /// The request to the coder.
    package let request: DecodeRequest

    /// Reads the header of `source`. Throws an error if the limits of `context` forbid decoding the image.
    init(
        _ source: InfoRequest, coder: any ImageCoder, context: ImageContext, reduction: Reduction? = nil,
        converter: (any ColorConverter)?
    ) throws {
        var source = source
        source.acceptsIncomplete = context.acceptsIncomplete
        let info = try coder.info(of: source)
        try context.limits.check(info)
        let reduced = reduction?.size(for: info, context: context)
        self.coder = coder
        request = DecodeRequest(
            source, info: info, target: reduced.map(info.orientation.applied) ?? context.target(of: info),
            isOversampled: reduced != nil, context: context, colorConverter: converter)
        try request.checkCancellation()
    }

    /// Reads the header of `source` with the coder of `coders` that accepts its bytes.
    init(_ source: InfoRequest, coders: CoderRegistry, context: ImageContext, reduction: Reduction? = nil) throws {
        try self.init(
            source, coder: try coders.coder(for: source.data), context: context, reduction: reduction,
            converter: coders.colorConverter)
    }

    /// Continues after `coder` has read the header of `source` as `info`, at a size that another process has determined.
    package init(
        resuming source: InfoRequest, info: ImageInfo, target: PixelSize, isOversampled: Bool, coder: any ImageCoder,
        context: ImageContext, converter: (any ColorConverter)?
    ) throws {
        try context.limits.check(info)
        self.coder = coder
        request = DecodeRequest(
            source, info: info, target: target, isOversampled: isOversampled, context: context,
            colorConverter: converter)
    }

    /// Returns the decoded image.
    func image(isPreview: Bool = false) throws -> Image { image(try finishedBitmap(), isPreview: isPreview) }

    /// Returns the finished first frame.
    package func finishedBitmap() throws -> FinishedBitmap {
        if let coder = coder as? any FinishingCoder { return try coder.decodeFinished(request) }
        var finisher = request.makeFinisher()
        let decoded = try bitmap()
        let bitmap = try finisher.finish(decoded)
        return request.finished(bitmap, by: finisher, isAsDecoded: bitmap.isIdentical(to: decoded))
    }

    /// Returns the bitmap that the coder decodes, or the part of it that a truncated file contains, if the context
    /// accepts that.
    private func bitmap() throws -> Bitmap {
        do {
            return try coder.decode(request)
        } catch let error as ImageError where error.kind == .incomplete && request.context.acceptsIncomplete {
            guard let part = try partialBitmap() else { throw error }
            request.noteIncomplete("\(error.message), and only a part of it is shown")
            return part
        }
    }

    private func partialBitmap() throws -> Bitmap? {
        guard var decoder = try makePreviewDecoder() else { return nil }
        let preview = try decoder.append(request.data)
        return try decoder.partialBitmap() ?? preview
    }

    private func makePreviewDecoder() throws -> (any PreviewDecoder)? {
        try (coder as? any ProgressiveImageCoder)?.makePreviewDecoder(request)
    }

    /// Whether the coder supports progressive decoding.
    var isProgressive: Bool { ((coder as? any FinishingCoder)?.base ?? coder) is any ProgressiveImageCoder }

    /// Whether the coder works in another process.
    var isHosted: Bool { coder is any FinishingCoder }

    /// Returns a decoder of finished previews; `nil` if the coder does not support progressive decoding.
    package func makeFinishedPreviews() throws -> (any FinishedPreviewDecoder)? {
        guard isProgressive else { return nil }
        if let coder = coder as? any FinishingCoder { return try coder.makeFinishedPreviews(request) }
        return try makePreviewDecoder().map { FinishingPreviewDecoder($0, request: request) }
    }

    /// Returns the image with a finished bitmap as its first frame. If that is as the coder decoded it, the animation does
    /// not decode it again while it is in use.
    func image(_ finished: FinishedBitmap, isPreview: Bool = false) -> Image {
        let bitmap = finished.bitmap
        var metadata = Image.Metadata()
        metadata.thumbnail = request.context.thumbnail.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
        metadata.sourceSize = request.hasOversampledTarget ? request.info.size : nil
        metadata.iccProfile = finished.profileData(in: request.info)
        // Missing bytes of a preview are no defect.
        metadata.notes = request.notes + (isPreview ? [] : request.truncationNotes)
        metadata.isIncomplete = isPreview || !request.truncationNotes.isEmpty
        metadata.isPreview = isPreview
        // Frames are finished as they are delivered, which would convert again what a coder has converted itself.
        let isAsDecoded = finished.isAsDecoded && !finished.isConverted && !metadata.isIncomplete
        bitmap.isAsStored = isAsDecoded && request.isStored(in: bitmap) && metadata.notes.isEmpty
        let info = request.context.usesFirstFrameOnly ? request.info.ofFirstFrame : request.info
        let animation = animation(startingWith: isAsDecoded ? bitmap : nil)
        return Image(info: info, bitmap: bitmap, animation: animation, metadata: metadata)
    }

    private func animation(startingWith firstFrame: Bitmap?) -> Animation? {
        guard request.info.frameCount > 1, !request.context.usesFirstFrameOnly, hasFrames else { return nil }
        let source = request.forFrames
        let decoded = firstFrame.map(WeakBitmap.init)
        return Animation(
            loopCount: source.info.loopCount, frameDurations: source.info.frameDurations, byteCount: source.data.count
        ) { [coder] in
            // Each decoder has its own clock, which starts now.
            try Self.frames(of: source.forFrames, by: coder, firstFrame: decoded)
        }
    }

    private var hasFrames: Bool { ((coder as? any FinishingCoder)?.base ?? coder) is any AnimatedImageCoder }

    /// Returns a decoder of finished frames.
    package func makeFinishedFrames() throws -> any FrameDecoder {
        try Self.frames(of: request.forFrames, by: coder, firstFrame: nil)
    }

    private static func frames(
        of request: DecodeRequest, by coder: any ImageCoder, firstFrame: WeakBitmap?
    ) throws -> any FrameDecoder {
        if let coder = coder as? any FinishingCoder {
            return try coder.makeFinishedFrames(request) { firstFrame?.bitmap }
        }
        guard let coder = coder as? any AnimatedImageCoder else {
            throw ImageError(.unsupported, .decode, "the coder decodes no frames")
        }
        var base = try coder.makeFrameDecoder(request)
        if let firstFrame, let compositor = base as? FrameCompositor {
            base = compositor.reusing(firstFrame: firstFrame)
        }
        return FinishingFrameDecoder(base: base, request: request)
    }
}

extension DecodeRequest {
    /// Returns whether `bitmap`, which nothing has changed since it was decoded, shows all that the file stores.
    fileprivate func isStored(in bitmap: Bitmap) -> Bool {
        bitmap.size == info.storedSize && info.orientation == .up && info.colorModel != .cmyk && info.calibration == nil
            && (info.frameCount == 1 || !context.usesFirstFrameOnly)
    }
}

extension ImageContext {
    /// Returns the upright size to which an image with this header is scaled, by SDWebImage's rules.
    func scaledSize(of info: ImageInfo) -> PixelSize {
        if let byteCount = scaleDownByteCount {
            return info.size.scaled(toByteCount: byteCount, frameCount: usesFirstFrameOnly ? 1 : info.frameCount)
        }
        guard let thumbnail else { return info.size }
        return thumbnail.scaledSize(for: info.size, mayEnlarge: info.isScalable)
    }

    /// Returns the size, in stored orientation, to which an image with this header is decoded.
    package func target(of info: ImageInfo) -> PixelSize { info.orientation.applied(to: scaledSize(of: info)) }

    /// Returns the upright size at which an image with this header is delivered: the scaled size, or the centre of it that
    /// a thumbnail keeps.
    package func deliveredSize(of info: ImageInfo) -> PixelSize {
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
