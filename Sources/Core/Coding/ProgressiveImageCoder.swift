#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A coder that shows something before all bytes are there.
public protocol ProgressiveImageCoder: ImageCoder {
    /// A decoder for one download. `request.data` is the start of the file, of which `info(of:)` was already known.
    func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder
}

/// Decodes one growing file. One task owns it.
public protocol PreviewDecoder {
    /// Takes the bytes that came since the last call, at first all there are.
    /// Answers a preview when there is a better one to show; missing rows are transparent.
    mutating func append(_ bytes: Data) throws -> Bitmap?

    /// The whole picture, after all bytes were appended: equal to what the plain decode gives.
    mutating func finish() throws -> Bitmap
}
