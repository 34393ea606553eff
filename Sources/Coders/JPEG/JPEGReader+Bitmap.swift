import DarkroomCore

extension JPEGReader {
    /// Returns the pixels of a complete file, at `request.target` if that is smaller than the stored size.
    func bitmap(for request: DecodeRequest) throws -> Bitmap {
        let pass = try JPEGPass(self, for: request)
        try start(eighths: pass.eighths)
        let startsWithoutLibjpeg = bypassesLibjpeg
        try pass.read()
        if bypassesLibjpeg {
            request.reportMethod("without libjpeg at \(pass.eighths)/8")
        } else if startsWithoutLibjpeg {
            request.reportMethod("libjpeg at \(pass.eighths)/8, because the file is irregular")
        } else {
            request.reportMethod("libjpeg at \(pass.eighths)/8")
        }
        noteDamage(for: request)
        return pass.finish()
    }

    /// Notes what libjpeg has tolerated.
    private func noteDamage(for request: DecodeRequest) {
        let reason = damage.isEmpty ? "" : " (libjpeg: \(damage))"
        if isTruncated {
            request.noteIncomplete("the JPEG file is truncated, and scans that make it sharper may be missing")
        } else if lacksBlocks {
            request.noteIncomplete("the JPEG file is damaged, and parts of the image are missing\(reason)")
        } else if !damage.isEmpty {
            request.note("the JPEG file is damaged, and parts of the image may be wrong\(reason)")
        }
    }

    /// Returns the fraction of its size, in eighths, at which the image is decoded for `request`.
    ///
    /// It is the smallest one with at least two pixels per pixel of the result in each direction, or 8 if there is none, or
    /// a side has few pixels, whose loss would be visible.
    func eighths(for request: DecodeRequest) -> Int {
        let (target, pixelCount) = (request.target, request.hasOversampledTarget ? 1 : 2)
        guard min(size.width, size.height) > 40 else { return 8 }
        // libjpeg-turbo takes longer for 3 and 7 than for 4 and 8.
        return [1, 2, 4, 5, 6].first { eighths in
            let size = size(eighths: eighths)
            return target.width * pixelCount <= size.width && target.height * pixelCount <= size.height
        } ?? 8
    }

    /// Throws if the header differs from the one Core has checked, or if pixels and coefficients exceed the limits
    /// together.
    func check(holding size: PixelSize, for request: DecodeRequest) throws(ImageError) {
        guard self.size == request.info.storedSize else {
            throw ImageError(.corrupt, .decode, "the JPEG file has two contradictory headers")
        }
        let (byteCount, overflow) = coefficientByteCount.addingReportingOverflow(size.byteCount ?? .max)
        try request.context.limits.check(decodedByteCount: overflow ? .max : byteCount)
    }
}
