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
    public func info(of data: Data) throws -> ImageInfo { try GIFOutline(data).info }

    /// The first frame on the logical screen; what the frame does not cover is transparent.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        try GIFFrames(request.data, GIFOutline(request.data), request).first()
    }

    /// Pixels with an alpha of 128 and more become opaque, all others transparent; more than 256 colours are reduced.
    ///
    /// Each frame of an animation has as many colours as that, and draws only what changes.
    public func encode(_ request: EncodeRequest) throws -> Data { try GIFEncoder(request).data() }
}
