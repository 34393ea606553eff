public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// JPEG over libjpeg-turbo: baseline and progressive; grey, YCbCr, RGB, CMYK and YCCK.
///
/// Inks become RGB by the request's conversion, or else by `c * k / 255` of their complements, which is what Adobe's
/// programs store; files without Adobe's marker are taken to store the inks themselves. Damage inside a file is tolerated. A file that ends too early is an
/// error, unless one scan of several is whole.
public struct JPEGCoder: EncodingImageCoder {
    /// A coder; all of them are alike.
    public init() {}

    /// JPEG alone.
    public var formats: [ImageFormat] { [.jpeg] }

    /// Reads up to the first scan. A profile whose parts do not fit together counts as none.
    public func info(of data: Data) throws -> ImageInfo { try JPEGHeader(data).info }

    /// Decodes straight into the bitmap, or into a smaller one as rows come: then at a fraction of the size that is at
    /// least twice the target, which leaves the resampler enough to choose from.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        request.noteBrokenProfile()
        return try JPEGReader.withReader(of: request.data, for: request) { reader in try reader.bitmap(for: request) }
    }

    /// Writes a baseline file of `context.quality`, 1 unless set, with whole chroma from 0.9 up and halved chroma below.
    ///
    /// An RGB profile of the image is kept. A bitmap with alpha needs a `context.background`, whose own alpha is ignored.
    public func encode(_ request: EncodeRequest) throws -> Data {
        let bitmap = try request.still()
        let background = request.context.background
        guard !bitmap.hasAlpha || background != nil else {
            throw ImageError(
                .unsupported, .encode, "JPEG has no alpha; set context.background to put a colour under it")
        }
        let writer = try JPEGWriter(
            bitmap.size, quality: request.context.quality ?? 1, profile: request.iccProfile)
        try bitmap.withPixels { pixels in
            for rows in bitmap.size.rowBatches {
                try request.checkCancellation()
                let pixels = pixels.extracting(rows)
                if bitmap.hasAlpha, let background {
                    try writer.append(rows: pixels.composed(over: background).span)
                } else {
                    try writer.append(rows: pixels)
                }
            }
        }
        return try writer.finish()
    }
}

extension DecodeRequest {
    /// Notes that the parts of the profile do not fit together, if so.
    func noteBrokenProfile() {
        guard info.iccProfile == nil, let header = try? JPEGHeader(data), header.hasBrokenProfile else { return }
        note("the colour profile is ignored: its parts do not fit together")
    }
}
