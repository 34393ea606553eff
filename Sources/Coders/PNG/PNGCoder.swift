public import DarkroomCore
public import DarkroomPlatform

/// A PNG and APNG coder based on libpng, for all colour types and depths, palettes, `tRNS`, interlaced files and
/// `eXIf`.
///
/// Rows of non-interlaced files are decoded without libpng, which takes over if anything is unusual. Filters and the
/// compressor, zlib or libdeflate, are chosen on a sample of the pixels.
///
/// Pixel values are not converted: the stored colour space is only reported.
public struct PNGCoder: EncodingImageCoder {
    /// Creates a coder.
    public init() {}

    /// Only PNG, animated or not.
    public var formats: [ImageFormat] { [.png] }

    /// Reads the chunks of the whole file without decompressing pixels.
    ///
    /// Only complete frames count, and a file with fewer than two is a still. Before its orientation arrives, an
    /// incomplete file is treated as upright. A colour profile of more than 4 MiB is treated as absent. A `cICP` chunk
    /// with a transfer function of standard dynamic range takes precedence over a profile. It throws an
    /// `ImageError` of kind `overLimit` if there are more frames than `limits.frameCount`, or more chunks other than
    /// those of pixels and frames than `limits.segmentCount`.
    ///
    /// An animation has alpha if its pixels do, or if its frames may leave part of the canvas uncovered.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        // The outline comes first, because libpng also reads all chunks before the pixels, but without limits.
        var outline = try PNGOutline(request)
        let options = PNGReader.Options(keepsProfile: true)
        let info = try PNGReader.withReader(of: request, outline: outline, options: options) { reader in
            outline.hasProfileOfOtherColors = reader.hasProfileOfOtherColors
            return reader.info
        }
        request.cacheOutline(outline)
        return outline.completed(info)
    }

    /// Decodes directly into the bitmap, or row by row into a smaller one if the file is not interlaced.
    ///
    /// For an animation it returns the first frame, even if that differs from the default image for viewers without
    /// animation support.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        let outline = try request.outline { try PNGOutline($0) }
        noteDefects(of: outline, for: request)
        return try decode(request.data, for: request, outline: outline)
    }

    /// Decodes `data`, whose outline is given, for `request`.
    func decode(_ data: Data, for request: DecodeRequest, outline: PNGOutline) throws -> Bitmap {
        guard !outline.hasSeparateFirstFrame else {
            var frames = try PNGFrameReader(of: data, outline: outline, request: request).makeDecoder()
            guard let frame = try frames.nextFrame() else {
                throw ImageError(.corrupt, .decode, "the PNG file has no frame")
            }
            return frame.bitmap
        }
        let bitmap = try defaultImage(of: data, for: request, outline: outline)
        noteMissingEnd(of: outline, for: request)
        return outline.isAnimated && outline.framesHaveAlpha ? bitmap.with(alpha: true) : bitmap
    }

    /// Decodes the default image. Damage that leaves its pixels intact is noted.
    private func defaultImage(of data: Data, for request: DecodeRequest, outline: PNGOutline) throws -> Bitmap {
        let source = request.headerRequest(of: data)
        var options = PNGReader.Options(largestSize: request.info.storedSize, conversion: PNGDeepConversion(request))
        func read(isTolerable: inout Bool) throws -> Bitmap {
            try PNGReader.withReader(of: source, outline: outline, options: options) { reader in
                defer { isTolerable = reader.isTolerable }
                return try reader.bitmap(for: request)
            }
        }
        var isTolerable = false
        do {
            return try read(isTolerable: &isTolerable)
        } catch  where isTolerable {
            options.isTolerant = true
            let bitmap = try read(isTolerable: &isTolerable)
            request.note("the compressed pixels end without a correct checksum, or declare a window that is too small")
            return bitmap
        }
    }

    /// Notes that the file ends after the pixels, but without an end marker.
    func noteMissingEnd(of outline: PNGOutline, for request: DecodeRequest) {
        if !outline.hasEnd, outline.missingFrameCount == nil {
            request.note("the PNG file has no end marker")
        }
    }

    /// Notes frames that are missing, chunks that are damaged, and a profile that is present but cannot be used.
    func noteDefects(of outline: PNGOutline, for request: DecodeRequest) {
        if !outline.damagedChunks.isEmpty {
            let names = outline.damagedChunks.joined(separator: ", ")
            request.note("damaged chunks of the PNG file are ignored: \(names)")
        }
        if let count = outline.missingFrameCount {
            request.noteIncomplete("the PNG file is truncated or broken, and \(count) of its frames are missing")
        }
        noteUnusableProfile(of: outline, for: request)
    }

    private func noteUnusableProfile(of outline: PNGOutline, for request: DecodeRequest) {
        if case .failure(let problem)? = outline.colors.codePoints?.calibration {
            request.note("the colour space of cICP is ignored: \(problem.reason) is not supported")
        }
        guard outline.colors.hasProfile, outline.colors.codedCalibration == nil, request.info.iccProfile == nil else {
            return
        }
        // Only the outline of the whole header knows.
        let isOfOtherColors = (try? request.outline { try PNGOutline($0) })?.hasProfileOfOtherColors == true
        request.note(
            isOfOtherColors
                ? "the colour profile is ignored: it does not describe the colour model of the image"
                : "the colour profile is ignored: it is broken or larger than 4 MiB")
    }

    /// Encodes losslessly with 8 bits per channel, as greyscale, or with a palette if there are at most 256 colours.
    /// With `context.pngColorCount`, a picture with more colours than that gets a palette of so many.
    ///
    /// Pixels with a colour profile are not stored as greyscale, because the profile describes RGB. If libpng considers
    /// the profile broken, they are converted to sRGB.
    /// A bitmap with an alpha channel keeps it, even if all pixels are opaque. Frames of an animation are stored as the
    /// rectangles that differ from the previous frame. They are decoded once or twice while encoding, and for a reduced
    /// palette once for its colours and then once for each attempt.
    public func encode(_ request: EncodeRequest) throws -> Data {
        try request.check(ranges(of: request.format))
        try ImageError.check(request.context.pngCompressionLevel, in: 0...9, name: "context.pngCompressionLevel")
        if let colorCount = request.context.pngColorCount {
            try ImageError.check(colorCount, in: 2...256, name: "context.pngColorCount")
        }
        try ImageError.check(request.context.pngDithering, in: 0...1, name: "context.pngDithering")
        return try PNGEncoder(request).data()
    }

    /// Always, because the quality has no effect.
    public func observesByteLimit(of format: ImageFormat) -> Bool { true }

    /// Up to 4,294,967,295 plays, and up to 65,535 seconds for a frame.
    public func ranges(of format: ImageFormat) -> EncodingRanges {
        EncodingRanges(loopCount: 0...Int(UInt32.max), frameDuration: .zero ... .seconds(65_535), hasQuality: false)
    }
}

extension PNGCoder: AnimatedImageCoder {
    /// Returns a compositor of the frames, each of the stored size.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        let outline = try request.outline { try PNGOutline($0) }
        return try PNGFrameReader(of: request.data, outline: outline, request: request).makeDecoder()
    }
}

extension PNGCoder: ProgressiveImageCoder {
    /// Returns a decoder that previews rows as they arrive, and finer ones with each pass of an interlaced file.
    ///
    /// For a smaller target, rows are resized on the fly unless the file is interlaced. The first frame of an animation
    /// is previewed like a still if it is the default image, or else when it is complete.
    public func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        PNGPreviewDecoder(request)
    }
}

extension PNGCoder: SignatureCoder {}
