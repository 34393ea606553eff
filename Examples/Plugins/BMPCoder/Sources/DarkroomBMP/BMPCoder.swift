public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes and encodes Windows bitmaps, icons and cursors, as browsers show them.
///
/// A bitmap is decoded with headers of OS/2 and Windows, 1 to 32 bits per pixel, masks of channels, run-length encoding and
/// an embedded profile. Of the images in an icon, the smallest one that is large enough is decoded.
public struct BMPCoder: EncodingImageCoder {
    /// Creates a coder.
    public init() {}

    /// Bitmaps and icons.
    public var formats: [ImageFormat] { [.bmp, .ico] }

    /// Returns whether the file is an icon, or a bitmap whose second header has a known size: two letters alone could be
    /// the start of a text.
    public func canDecode(_ data: Data) -> Bool {
        guard !ImageFormat.ico.matches(data) else { return true }
        guard ImageFormat.bmp.matches(data) else { return false }
        guard let byteCount = data.span.number(at: BMPHeader.fileHeaderByteCount, byteCount: 4) else { return true }
        return BMPHeader.isKnown(byteCount: byteCount)
    }

    /// Reads the headers and, of a bitmap with runs, whether they leave pixels transparent.
    ///
    /// The header of an icon is that of its largest image.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        let contents = try BMPContents(request)
        request.cacheOutline(contents)
        return contents.info
    }

    /// Decodes the bitmap, or the image of the icon that fits `request.target` best.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        switch try request.outline(BMPContents.init) {
        case .bitmap(let bitmap): try bitmap.decode(request)
        case .icon(let icon): try icon.decode(request)
        }
    }

    /// Encodes a still: a bitmap with its profile, or an icon in sRGB whose only image is a PNG.
    public func encode(_ request: EncodeRequest) throws -> Data {
        try request.checkCancellation()
        return request.format == .ico ? try IconWriter(request).file() : try BMPWriter(request).file()
    }

    /// Always, because the files are lossless.
    public func observesByteLimit(of format: ImageFormat) -> Bool { true }
}

/// The parsed header of a file.
enum BMPContents: Sendable {
    case bitmap(BMPBitmap)
    case icon(Icon)

    init(_ request: InfoRequest) throws {
        if ImageFormat.ico.matches(request.data) {
            self = .icon(try Icon(request))
        } else {
            self = .bitmap(try BMPBitmap(request))
        }
    }

    /// The header in Darkroom's form.
    var info: ImageInfo {
        switch self {
        case .bitmap(let bitmap): bitmap.info
        case .icon(let icon): icon.info
        }
    }
}
