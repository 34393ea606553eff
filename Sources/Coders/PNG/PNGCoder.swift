public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
        let info = try PNGReader.withReader(of: request, keepsProfile: true) { reader in
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
        let source = request.headerRequest(of: data)
        let bitmap = try PNGReader.withReader(
            of: source, largestSize: request.info.storedSize, conversion: PNGDeepConversion(request)
        ) { reader in try reader.bitmap(for: request) }
        return outline.isAnimated && outline.framesHaveAlpha ? bitmap.with(alpha: true) : bitmap
    }

    /// Notes frames that are missing, and a profile that is present but cannot be used.
    func noteDefects(of outline: PNGOutline, for request: DecodeRequest) {
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
    ///
    /// Pixels with a colour profile are not stored as greyscale, because the profile describes RGB. If libpng considers
    /// the profile broken, they are converted to sRGB.
    /// A bitmap with an alpha channel keeps it, even if all pixels are opaque. Frames of an animation are stored as the
    /// rectangles that differ from the previous frame. They are decoded once or twice while encoding.
    public func encode(_ request: EncodeRequest) throws -> Data {
        try request.check(ranges(of: request.format))
        try ImageError.check(request.context.pngCompressionLevel, in: 0...9, name: "context.pngCompressionLevel")
        return try PNGEncoder(request).data()
    }

    /// Up to 4,294,967,295 plays, and up to 65,535 seconds for a frame.
    public func ranges(of format: ImageFormat) -> EncodingRanges {
        EncodingRanges(loopCount: 0...Int(UInt32.max), frameDuration: 0...65_535)
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
