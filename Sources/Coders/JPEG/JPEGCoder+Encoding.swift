public import DarkroomCore
public import DarkroomPlatform

extension JPEGCoder: EncodingImageCoder {
    /// Encodes the image with `context.quality`, whose percentages are those of libjpeg. Chroma is stored at full
    /// resolution from 0.9 up, and subsampled below.
    ///
    /// With `context.encodedByteLimit`, the quality is the highest whole percentage whose file does not exceed that
    /// size, found by bisection, or 1 % if none does. Chroma then has full resolution only if `context.quality` is set
    /// to at least 0.9. `context.writesProgressiveJPEG` selects progressive encoding.
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
        let channels: JPEGChannels = isGray ? .gray : number < 90 ? .subsampled : .full
        guard let bound = request.context.encodedByteLimit else {
            return try file(of: bitmap, for: request, percent: Int(saturating: number.rounded()), channels: channels)
        }
        return try best(below: bound) { percent in
            try file(of: bitmap, for: request, percent: percent, channels: channels)
        }
    }

    /// Returns the file with the highest percentage that has at most `bound` bytes, or else the one with 1 %. Encodes
    /// at most 7 times.
    private func best(below bound: Int, _ file: (_ percent: Int) throws -> Data) throws -> Data {
        var (best, smallest): (Data?, Data?)
        var percents = 1..<101
        while !percents.isEmpty {
            let middle = (percents.lowerBound + percents.upperBound - 1) / 2
            let data = try file(middle)
            if data.count <= bound {
                best = data
                percents = (middle + 1)..<percents.upperBound
            } else {
                smallest = data
                percents = percents.lowerBound..<middle
            }
        }
        // If none fits, the last attempt was made with 1 %.
        guard let file = best ?? smallest else { preconditionFailure("no quality was tried") }
        return file
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
