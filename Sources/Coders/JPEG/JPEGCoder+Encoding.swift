public import DarkroomCore
public import DarkroomPlatform

extension JPEGCoder: EncodingImageCoder {
    /// Encodes the image with `context.quality`, whose percentages are those of libjpeg, and `context.jpegSubsampling`.
    /// `context.writesProgressiveJPEG` selects progressive encoding.
    ///
    /// An image without colour is stored as grey, in a single channel, unless it has a profile of RGB.
    ///
    /// A bitmap with alpha requires a `context.background`, whose own alpha is ignored. A colour profile or preserved
    /// metadata that is too large for the format is an `ImageError` of kind `unsupported`.
    public func encode(_ request: EncodeRequest) throws -> Data {
        try request.check(ranges(of: request.format))
        let bitmap = try request.still()
        guard !bitmap.hasAlpha || request.context.background != nil else {
            throw ImageError(
                .unsupported, .encode, "JPEG does not support alpha; set context.background to the colour to blend with"
            )
        }
        let number = try request.encoderQuality(by: .percent)
        let isGray = try request.canStoreGray(bitmap)
        let channels: JPEGChannels =
            switch request.context.jpegSubsampling {
            case _ where isGray: .gray
            case .automatic: .automatic(percent: number)
            case let subsampling: .color(subsampling)
            }
        return try file(of: bitmap, for: request, percent: Int(saturating: number.rounded()), channels: channels)
    }

    private func file(
        of bitmap: Bitmap, for request: EncodeRequest, percent: Int, channels: JPEGChannels
    ) throws -> Data {
        let writer = try JPEGWriter(bitmap.size, for: request, percent: percent, channels: channels)
        try bitmap.withPixels { pixels in
            for rows in bitmap.size.rowBatches {
                try request.checkCancellation()
                let pixels = pixels.extracting(rows)
                if bitmap.hasAlpha, let background = request.context.background {
                    try writer.append(rows: pixels.composed(over: background).span)
                } else {
                    try writer.append(rows: pixels)
                }
            }
        }
        return try request.addingMetadata(to: writer.finish())
    }
}
