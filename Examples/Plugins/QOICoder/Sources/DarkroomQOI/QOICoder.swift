public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes and encodes QOI, the "Quite OK Image" format (qoiformat.org): lossless, and fast in both directions.
public struct QOICoder: EncodingImageCoder {
    /// Creates a coder.
    public init() {}

    /// QOI only.
    public var formats: [ImageFormat] { [.qoi] }

    /// Reads the fourteen bytes of the header.
    public func info(of request: InfoRequest) throws -> ImageInfo { try QOIHeader(request.data).info }

    /// Decodes row by row. If a smaller image is requested, the full image is never held in memory.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        var reader = try QOIReader(request)
        return try request.bitmap { row in try reader.read(request.data.span, into: &row) }
    }

    /// Encodes a still. QOI cannot store a profile, so pixels that are not sRGB are refused.
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

    /// Always, because the files are lossless.
    public func observesByteLimit(of format: ImageFormat) -> Bool { true }
}

extension ImageFormat {
    /// The "Quite OK Image" format.
    public static let qoi = ImageFormat(
        identifier: "org.qoiformat.qoi", mimeType: "image/qoi", fileExtension: "qoi", signatures: ["qoif"])
}
