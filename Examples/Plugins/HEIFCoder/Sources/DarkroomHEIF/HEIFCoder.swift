public import DarkroomCore

/// Reads HEIC and HEIF, such as telephones take, by libheif: the primary picture.
public struct HEIFCoder: ImageCoder {
    /// A coder; all are alike.
    public init() {}

    /// Both names of the format.
    public var formats: [ImageFormat] { [.heic, .heif] }

    /// Reads the boxes, and no pixels. The size is that of the upright picture, for libheif turns it.
    public func info(of request: InfoRequest) throws -> ImageInfo { try HEIFFile(request.data).info }

    /// The primary picture, at the size it has.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        let file = try HEIFFile(request.data)
        try request.checkCancellation()
        // libheif's planes, what it makes of them when it turns and converts them, and the pixels made of those.
        let (byteCount, overflow) = (request.info.storedSize.byteCount ?? .max).multipliedReportingOverflow(by: 3)
        try request.context.limits.check(decodedByteCount: overflow ? .max : byteCount)
        return try file.bitmap(request)
    }
}
