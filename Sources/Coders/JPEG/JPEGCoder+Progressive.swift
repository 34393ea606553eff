public import DarkroomCore

extension JPEGCoder: ProgressiveImageCoder {
    /// Returns a decoder that previews a single-scan image row by row, and an image with several scans as a whole,
    /// sharper with each scan.
    ///
    /// There are at most some ten previews of scans, and at most 16 of rows; fewer of an image with over a megapixel.
    public func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        request.noteBrokenProfile()
        return try JPEGPreviewDecoder(request, coder: self)
    }
}
