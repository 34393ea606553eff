public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads and writes QOI, the "Quite OK Image" (qoiformat.org): without loss, and fast both ways.
public struct QOICoder: EncodingImageCoder {
    /// A coder; all are alike.
    public init() {}

    /// QOI alone.
    public var formats: [ImageFormat] { [.qoi] }

    /// Reads the fourteen bytes of the header.
    public func info(of request: InfoRequest) throws -> ImageInfo { try QOIHeader(request.data).info }

    /// Reads row by row. A picture that is wanted smaller is never held whole.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        var reader = try QOIReader(request)
        return try request.bitmap { row in try reader.read(request.data.span, into: &row) }
    }

    /// Writes a still. QOI has no place for a profile, so pixels that are not sRGB are refused.
    public func encode(_ request: EncodeRequest) throws -> Data {
        let bitmap = try request.still()
        guard request.iccProfile == nil else {
            throw ImageError(
                .unsupported, .encode, "a QOI cannot carry a colour profile; load without context.keepsProfile")
        }
        var writer = QOIWriter(try QOIHeader(bitmap.size, hasAlpha: bitmap.hasAlpha))
        let rowByteCount = bitmap.size.width * 4
        try bitmap.withPixels { pixels in
            for start in stride(from: 0, to: pixels.count, by: rowByteCount) {
                try request.checkCancellation()
                writer.append(pixels.extracting(start..<(start + rowByteCount)))
            }
        }
        return writer.finish()
    }
}

extension ImageFormat {
    /// The "Quite OK Image" format.
    public static let qoi = ImageFormat(
        identifier: "org.qoiformat.qoi", mimeType: "image/qoi", fileExtension: "qoi", signatures: ["qoif"])
}
