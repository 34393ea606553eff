import DarkroomCore

extension JPEGReader {
    /// The pixels of a file that is all there, of `request.target` if that is smaller than the stored size.
    func bitmap(for request: DecodeRequest) throws -> Bitmap {
        let pass = try JPEGPass(self, request)
        try start(eighths: pass.eighths)
        try pass.read()
        return pass.finish()
    }

    /// The fraction of its size at which the picture is decoded for `request`, in eighths.
    ///
    /// It is the smallest that still gives two pixels for each of the target; 8 if there is none.
    func eighths(for request: DecodeRequest) -> Int {
        let target = request.target
        // libjpeg-turbo takes longer for 3 and 7 than for 4 and 8.
        return [1, 2, 4, 5, 6].first { eighths in
            let size = size(eighths: eighths)
            return target.width <= size.width / 2 && target.height <= size.height / 2
        } ?? 8
    }

    /// Throws when the header is another than Core has checked, or the pixels are too much beside the coefficients.
    func check(holding size: PixelSize, for request: DecodeRequest) throws(ImageError) {
        guard self.size == request.info.storedSize else {
            throw ImageError(.corrupt, .decode, "the JPEG file has two headers that disagree")
        }
        let (byteCount, overflow) = coefficientByteCount.addingReportingOverflow(size.byteCount ?? .max)
        try request.context.limits.check(decodedByteCount: overflow ? .max : byteCount)
    }
}
