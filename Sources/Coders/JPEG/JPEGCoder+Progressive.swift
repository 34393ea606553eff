public import DarkroomCore

extension JPEGCoder: ProgressiveImageCoder {
    /// Returns a decoder that previews a single-scan image row by row, and an image with several scans as a whole,
    /// starting with the first scan.
    ///
    /// Previews are limited so that all of them together take at most about half the time of the plain decode.
    public func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        request.noteBrokenProfile()
        return try JPEGPreviewDecoder(request)
    }
}
