public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes GIFs, animated ones and while they are loaded, and writes them with at most 256 colours a frame.
public struct GIFCoder: EncodingImageCoder {
    /// A coder; all are alike.
    public init() {}

    /// GIF alone.
    public var formats: [ImageFormat] { [.gif] }

    /// Reads the descriptors of all frames; it goes over the whole file, but decompresses nothing.
    ///
    /// More frames than `limits.frameCount`, and more extensions than `limits.segmentCount` besides one a frame, are an
    /// error of kind `overLimit`.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        let outline = try GIFOutline(request)
        request.keep(outline)
        return outline.info
    }

    /// The first frame on the logical screen; what the frame does not cover is transparent.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        try GIFFrames(request.data, request.outline { try GIFOutline($0) }, request).first()
    }

    /// Pixels with an alpha of 128 and more become opaque, all others transparent; more than 256 colours are reduced.
    ///
    /// Each frame of an animation has as many colours as that, and draws only what changes.
    public func encode(_ request: EncodeRequest) throws -> Data { try GIFEncoder(request).data() }
}
