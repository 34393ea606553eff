public import DarkroomCore
import DarkroomPlatform

/// A JPEG coder based on libjpeg-turbo: baseline and progressive; grey, YCbCr, RGB, CMYK and YCCK.
///
/// CMYK is converted to RGB by the colour conversion of the request, or else as `c * k / 255` of the complements that
/// files store, with or without Adobe's marker. Damage inside a file is tolerated. A truncated file is an error, with or
/// without an end marker, unless it has several scans of which one is complete: such an image is marked as incomplete.
public struct JPEGCoder: ImageCoder {
    /// Whether baseline files are decoded at an eighth or a quarter of their size without libjpeg-turbo: in about half
    /// the time, or two thirds of it, with identical pixels. The default is `true`.
    ///
    /// Anything irregular in a file, such as damage, makes libjpeg decode it from its start. So the result is always
    /// libjpeg's, and this is only a way to exclude the other decoder.
    public var bypassesLibjpeg = true

    /// The minimum number of bytes of a file that is decoded without libjpeg. In smaller ones, tables cost more than they
    /// save.
    var minimumBypassByteCount = 1 << 14

    /// Creates a coder.
    public init() {}

    /// Only JPEG.
    public var formats: [ImageFormat] { [.jpeg] }

    /// Reads up to the first scan. A profile with missing or inconsistent parts is treated as absent.
    ///
    /// It throws an `ImageError` of kind `overLimit` if there are more markers than `limits.segmentCount`.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        let header = try JPEGHeader(request)
        request.cacheOutline(header)
        return header.info
    }

    /// Decodes directly into the bitmap, or row by row into a smaller one. In the latter case the image is decoded at a
    /// fraction of its size that is at least twice the target size, which leaves enough detail for the resampler.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        request.noteBrokenProfile()
        return try bitmap(of: request.data, for: request)
    }

    /// Returns the pixels of `data`, the complete file of `request`.
    func bitmap(of data: Data, for request: DecodeRequest) throws -> Bitmap {
        var data = data
        request.lateHeight?.insert(into: &data)
        let byteCount = bypassesLibjpeg ? minimumBypassByteCount : .max
        return try JPEGReader.withReader(of: data, for: request, bypassByteCount: byteCount) { reader in
            try reader.bitmap(for: request)
        }
    }
}

extension DecodeRequest {
    /// Notes a profile whose parts are missing or inconsistent.
    func noteBrokenProfile() {
        guard info.iccProfile == nil, (try? outline(JPEGHeader.init))?.hasBrokenProfile == true else { return }
        note("the colour profile is ignored: its parts are missing or inconsistent")
    }
}

extension JPEGCoder: SignatureCoder {}
