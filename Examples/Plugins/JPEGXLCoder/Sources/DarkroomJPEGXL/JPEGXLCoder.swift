import CJXL
public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads and writes JPEG XL, still and animated, by libjxl.
public struct JPEGXLCoder: AnimatedImageCoder, EncodingImageCoder {
    /// A coder; all are alike.
    public init() {}

    /// JPEG XL alone.
    public var formats: [ImageFormat] { [.jpegXL] }

    /// Reads the header, and those of the frames of an animation.
    public func info(of request: InfoRequest) throws -> ImageInfo { try JXLHeader(request).info }

    /// The still, or the first frame, at the size it has.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        guard let bitmap = try JXLFrames(request).nextBitmap() else {
            throw ImageError(.corrupt, .decode, "the JPEG XL has no picture")
        }
        return bitmap
    }

    /// The frames, which libjxl puts together.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder { try JXLFrames(request) }

    /// Writes all frames with the context's `quality`, which is 0.9 unless set; 1 is without loss.
    public func encode(_ request: EncodeRequest) throws -> Data { try JXLEncoding(request).file() }
}
