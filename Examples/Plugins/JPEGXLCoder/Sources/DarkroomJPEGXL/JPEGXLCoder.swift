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
    public func info(of data: Data) throws -> ImageInfo { try JXLHeader(data).info }

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

extension ImageFormat {
    /// JPEG XL, bare or in a container.
    public static let jpegXL = ImageFormat(
        identifier: "public.jpeg-xl", mimeType: "image/jxl", fileExtension: "jxl",
        signatures: ["\u{FF}\u{0A}", "\u{0}\u{0}\u{0}\u{0C}JXL \u{0D}\u{0A}\u{87}\u{0A}"])
}
