public import DarkroomCore

/// Decodes the primary image of HEIC and HEIF files, as phones produce them, using libheif.
public struct HEIFCoder: ImageCoder {
    /// Creates a coder.
    public init() {}

    /// HEIC and HEIF.
    public var formats: [ImageFormat] { [.heic, .heif] }

    /// Reads the boxes, and no pixels. The size is that of the upright image, because libheif rotates it.
    public func info(of request: InfoRequest) throws -> ImageInfo { try HEIFFile(request.data, request.limits).info }

    /// Decodes the primary image at full size.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        let file = try HEIFFile(request.data, request.context.limits)
        try request.checkCancellation()
        try file.checkSizes(request.context.limits)
        return try file.bitmap(request)
    }
}
