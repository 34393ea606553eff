#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A coder that shows something before all bytes are there.
public protocol ProgressiveImageCoder: ImageCoder {
    /// A decoder for one download.
    ///
    /// `request.data` is the start of the file, of which `info(of:)` was known. It is not appended by that: all bytes
    /// come through `append`. Previews are of at least `request.target` pixels, and the finished picture likewise.
    func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder
}

/// Decodes one growing file. One task owns it.
public protocol PreviewDecoder {
    /// Takes the bytes that came since the last call, at first all there are.
    ///
    /// Answers a preview when there is a better one to show: as large as the whole picture, in stored orientation, with
    /// missing rows transparent. Of an animation it is the first frame. Its work grows with the bytes it is given.
    mutating func append(_ bytes: Data) throws -> Bitmap?

    /// The whole picture, after all bytes were appended: equal to what the plain decode gives.
    mutating func finish() throws -> Bitmap

    /// Seconds of each frame that is all there by now; empty for a still, and as long as only one is there.
    var frameDurations: [Double] { get }
}

extension PreviewDecoder {
    /// The default, for stills: none.
    public var frameDurations: [Double] { [] }
}
