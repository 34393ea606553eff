import CJXL
public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes and encodes JPEG XL, still and animated, using libjxl.
public struct JPEGXLCoder: AnimatedImageCoder, ProgressiveImageCoder, EncodingImageCoder {
    /// Creates a coder.
    public init() {}

    /// JPEG XL only.
    public var formats: [ImageFormat] { [.jpegXL] }

    /// Reads the header, and for an animation the headers of its frames.
    public func info(of request: InfoRequest) throws -> ImageInfo { try JXLHeader(request).info }

    /// Decodes the still or the first frame at full size.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        guard let bitmap = try JXLFrames(request).nextBitmap() else {
            throw ImageError(.corrupt, .decode, "the JPEG XL contains no image")
        }
        return bitmap
    }

    /// Returns a decoder of the frames, which libjxl composites.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder { try JXLFrames(request) }

    /// Returns a decoder that shows the picture at an eighth of its size first, and then as its passes arrive.
    public func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        try JXLPreviewDecoder(request)
    }

    /// Encodes all frames with the context's `quality`, of which 1 is lossless, or with its `encoderQuality`: the distance
    /// of libjxl, from 0.01 to 25, of which 1 is visually lossless.
    public func encode(_ request: EncodeRequest) throws -> Data {
        try request.check(ranges(of: request.format))
        return try JXLEncoding(request).file()
    }
}
