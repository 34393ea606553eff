public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension JPEGCoder: EncodingImageCoder {
    /// Writes a file of `context.quality`, 1 unless set, with whole chroma from 0.9 up and halved chroma below.
    ///
    /// With `context.maxEncodedByteCount` it is the best of the whole percents of quality that does not exceed that, found
    /// by bisection, or else that of one percent; chroma is then whole only if a quality of 0.9 or more is set as well.
    /// `context.jpegProgressive` asks for several scans.
    ///
    /// A bitmap with alpha needs a `context.background`, whose own alpha is ignored. A profile, and Exif that is kept, of
    /// more bytes than the format can hold is an error of kind `unsupported`.
    public func encode(_ request: EncodeRequest) throws -> Data {
        let bitmap = try request.still()
        guard !bitmap.hasAlpha || request.context.background != nil else {
            throw ImageError(
                .unsupported, .encode, "JPEG has no alpha; set context.background to put a colour under it")
        }
        // What is no number counts as the best.
        let quality = request.context.quality.map { $0.isNaN ? 1 : min(max($0, 0), 1) }
        guard let bound = request.context.maxEncodedByteCount else {
            let percent = max(1, Int(((quality ?? 1) * 100).rounded()))
            return try file(of: bitmap, request, percent: percent, halvesChroma: (quality ?? 1) < 0.9)
        }
        return try best(below: bound) { percent in
            try file(of: bitmap, request, percent: percent, halvesChroma: (quality ?? 0) < 0.9)
        }
    }

    /// The file of the highest percent that has at most `bound` bytes, or else that of one percent; at most 7 are made.
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
        // When none fits, the last one tried was that of one percent.
        guard let file = best ?? smallest else { preconditionFailure("no quality was tried") }
        return file
    }

    private func file(of bitmap: Bitmap, _ request: EncodeRequest, percent: Int, halvesChroma: Bool) throws -> Data {
        let writer = try JPEGWriter(bitmap.size, for: request, percent: percent, halvesChroma: halvesChroma)
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
        return try writer.finish()
    }
}
