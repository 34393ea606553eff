public import DarkroomCore

extension JPEGCoder: ProgressiveImageCoder {
    /// Shows a picture in one scan row by row, and one in several whole from the first scan on.
    ///
    /// Previews are so few that all of them together take no longer than about half of the plain decode.
    public func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        request.noteBrokenProfile()
        return try JPEGPreviewDecoder(request)
    }
}
