public import DarkroomCore
public import DarkroomPlatform
import DarkroomQuantizing

/// A GIF coder with support for animation and progressive decoding. It encodes up to 256 colours per frame.
public struct GIFCoder: EncodingImageCoder {
    /// Creates a coder.
    public init() {}

    /// Only GIF.
    public var formats: [ImageFormat] { [.gif] }

    /// Reads the descriptors of all frames. It traverses the whole file without decompressing it.
    ///
    /// It throws an `ImageError` of kind `overLimit` if there are more frames than `limits.frameCount`, or more
    /// extensions than `limits.segmentCount` in addition to one per frame.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        let outline = try GIFOutline(request)
        request.cacheOutline(outline)
        return outline.info
    }

    /// Decodes the first frame on the logical screen. The area that the frame does not cover is transparent, as are missing
    /// pixels, of which the metadata of the image tells.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        let outline = try request.outline { try GIFOutline($0) }
        let frames = GIFFrames(of: request.data, outline: outline, request: request)
        let bitmap = try frames.first()
        try outline.noteDefects(at: frames, for: request)
        return bitmap
    }

    /// Encodes the image. Pixels with an alpha of at least 128 become opaque, all others transparent. More colours than
    /// `context.gifColorCount` are reduced.
    ///
    /// An animation may have so many colours per frame. Each frame stores only the pixels that change, by more than
    /// `context.gifFrameTolerance`.
    ///
    /// With `context.encodedByteLimit`, a file that would be larger is encoded with fewer colours, down to 16, then, if it
    /// is an animation, with a tolerance of up to 32, and then with still fewer colours. At most 5 files are made. If none
    /// is small enough, it is the last one, with 2 colours.
    ///
    /// Pixels with a colour profile are converted to sRGB, because a GIF cannot store it. Durations are rounded to
    /// hundredths of a second such that their sum is kept, and are at least two, because decoders replace shorter ones.
    public func encode(_ request: EncodeRequest) throws -> Data {
        try request.check(ranges(of: request.format))
        let reduction = try GIFReduction(request.context)
        let converted = try request.inSRGB()
        let steps = reduction.steps(isAnimated: request.framesToEncode != nil)
        return try SizeSearch.file(of: steps, within: request.context.encodedByteLimit) { reduction in
            try GIFEncoder(converted, reduction: reduction).data()
        }
    }

    /// Always, because the quality has no effect.
    public func observesByteLimit(of format: ImageFormat) -> Bool { true }

    /// Up to 65,535 plays, and up to 655.35 seconds for a frame.
    public func ranges(of format: ImageFormat) -> EncodingRanges {
        EncodingRanges(loopCount: 0...65_535, frameDuration: .zero ... .milliseconds(655_350), hasQuality: false)
    }
}

extension GIFCoder: SignatureCoder {}
