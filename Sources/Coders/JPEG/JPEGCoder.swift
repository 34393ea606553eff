public import DarkroomCore

/// JPEG over libjpeg-turbo: baseline and progressive; grey, YCbCr, RGB, CMYK and YCCK.
///
/// Inks become RGB by the request's conversion, or else by `c * k / 255` of their complements, which is what Adobe's
/// programs store; files without Adobe's marker are taken to store the inks themselves. Damage inside a file is tolerated. A file that ends too early is an
/// error, unless one scan of several is whole.
public struct JPEGCoder: ImageCoder {
    /// A coder; all of them are alike.
    public init() {}

    /// JPEG alone.
    public var formats: [ImageFormat] { [.jpeg] }

    /// Reads up to the first scan. A profile whose parts do not fit together counts as none.
    ///
    /// More markers than `limits.segmentCount` are an error of kind `overLimit`.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        let header = try JPEGHeader(request)
        request.keep(header)
        return header.info
    }

    /// Decodes straight into the bitmap, or into a smaller one as rows come: then at a fraction of the size that is at
    /// least twice the target, which leaves the resampler enough to choose from.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        request.noteBrokenProfile()
        return try JPEGReader.withReader(of: request.data, for: request) { reader in try reader.bitmap(for: request) }
    }
}

extension DecodeRequest {
    /// Notes that the parts of the profile do not fit together, if so.
    func noteBrokenProfile() {
        guard info.iccProfile == nil, (try? outline(JPEGHeader.init))?.hasBrokenProfile == true else { return }
        note("the colour profile is ignored: its parts do not fit together")
    }
}
