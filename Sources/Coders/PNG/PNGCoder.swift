public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// PNG and animated PNG over libpng: all colour types and depths, palettes, `tRNS`, interlaced files and `eXIf`.
///
/// Rows of files that are not interlaced are read without libpng, which takes over where anything is odd. What is not too
/// large is compressed by libdeflate.
///
/// Colours pass as they are stored: what the file says of them is only reported.
public struct PNGCoder: EncodingImageCoder {
    /// A coder; all of them are alike.
    public init() {}

    /// PNG alone, animated or not.
    public var formats: [ImageFormat] { [.png] }

    /// Goes over the chunks of the whole file, and decompresses no pixels.
    ///
    /// Frames count when they are all there; a file with fewer than two is a still. The start of a file is upright as
    /// long as its orientation has not come. A profile of more than 4 MiB counts as none. More frames than
    /// `limits.frameCount`, and more chunks besides those of pixels and frames than `limits.segmentCount`, are an error of
    /// kind `overLimit`.
    ///
    /// An animation has alpha when its pixels have it, or when its frames may leave a part of the canvas uncovered.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        // The outline first: libpng, too, goes over all chunks before the pixels, and knows no limit.
        let outline = try PNGOutline(request)
        request.keep(outline)
        return outline.completed(try PNGReader.withReader(of: request, keepsProfile: true) { reader in reader.info })
    }

    /// Decodes straight into the bitmap, or row by row into a smaller one when the file is not interlaced.
    ///
    /// Of an animation it is the first frame, also where that is not the picture that viewers without animations show.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        try decode(request.data, request, request.outline { try PNGOutline($0) })
    }

    /// Decodes `data`, of which this is the outline, as `request` asks.
    func decode(_ data: Data, _ request: DecodeRequest, _ outline: PNGOutline) throws -> Bitmap {
        noteProfile(request, outline)
        guard !outline.showsFrame else {
            var frames = try PNGFrameReader(data, outline, request).makeDecoder()
            guard let frame = try frames.nextFrame() else {
                throw ImageError(.corrupt, .decode, "the PNG file has no frame")
            }
            return frame.bitmap
        }
        let source = request.headerRequest(of: data)
        let bitmap = try PNGReader.withReader(of: source, largestSize: request.info.storedSize) { reader in
            try reader.bitmap(for: request)
        }
        return outline.isAnimated && outline.framesHaveAlpha ? bitmap.with(alpha: true) : bitmap
    }

    /// Notes a profile that is there and cannot be used.
    func noteProfile(_ request: DecodeRequest, _ outline: PNGOutline) {
        guard outline.colors.hasProfile, request.info.iccProfile == nil else { return }
        request.note("the colour profile is ignored: it is broken or larger than 4 MiB")
    }

    /// Writes 8 bits a channel, or a palette when there are at most 256 colours, or grey; nothing of any pixel is lost.
    ///
    /// A bitmap whose format has alpha comes back with alpha, also where all its pixels are opaque. Frames of an
    /// animation are written as the rectangles that differ from the frame before, and decoded once or twice.
    public func encode(_ request: EncodeRequest) throws -> Data { try PNGEncoding(request).data() }
}

extension PNGCoder: AnimatedImageCoder {
    /// A compositor of the frames, each of the stored size.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        try PNGFrameReader(request.data, request.outline { try PNGOutline($0) }, request).makeDecoder()
    }
}

extension PNGCoder: ProgressiveImageCoder {
    /// Rows as they come, and sharper ones with each pass of an interlaced file.
    ///
    /// At a smaller size, rows are resized as they come unless the file is interlaced. The first frame of an animation
    /// is shown like a still, unless it is not the picture itself: then it is shown when it is all there.
    public func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        PNGPreviewDecoder(request)
    }
}
