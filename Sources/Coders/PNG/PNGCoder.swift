public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// PNG over libpng: all colour types and depths, palettes, `tRNS`, interlaced files and `eXIf`.
///
/// Colours pass as they are stored: gamma and chromaticity chunks change nothing, and the ICC profile is only reported.
public struct PNGCoder: EncodingImageCoder {
    /// A coder; all of them are alike.
    public init() {}

    /// PNG alone.
    public var formats: [ImageFormat] { [.png] }

    /// Reads up to the pixels, and looks for the orientation behind them, too, where it may stand.
    ///
    /// The start of a file is upright as long as its orientation has not come. A profile of more than 4 MiB counts as none.
    public func info(of data: Data) throws -> ImageInfo {
        var info = try PNGReader.withReader(of: data, keepsProfile: true) { reader in reader.info }
        if let exif = PNGChunks(data).first(where: { $0.type == "eXIf" }) {
            info.exif = Exif(exif.body)
            info.orientation = info.exif?.orientation ?? .up
        }
        return info
    }

    /// Decodes straight into the bitmap, or row by row into a smaller one when the file is not interlaced.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        try PNGReader.withReader(of: request.data, largestSize: request.info.storedSize) { reader in
            try reader.bitmap(for: request)
        }
    }

    /// Writes RGB, or RGBA when the bitmap has alpha, with 8 bits a channel.
    public func encode(_ request: EncodeRequest) throws -> Data {
        let bitmap = try request.still()
        let writer = try PNGWriter(bitmap.size, hasAlpha: bitmap.hasAlpha, level: request.context.pngCompressionLevel)
        try bitmap.withPixels { pixels in
            for y in 0..<bitmap.size.height {
                try request.checkCancellation()
                try writer.append(row: pixels.extracting(bitmap.size.row(y)))
            }
        }
        return try writer.finish()
    }
}
