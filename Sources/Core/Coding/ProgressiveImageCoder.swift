public import DarkroomPlatform

/// A coder that supports progressive decoding.
public protocol ProgressiveImageCoder: ImageCoder {
    /// Returns a preview decoder for one transfer.
    ///
    /// `request.data` is the start of the file from which `info(of:)` read the header. All bytes, including these, are
    /// passed to `append`. Previews and the final image have at least `request.target` pixels.
    func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder
}

/// A progressive decoder of one file whose bytes are arriving. It must be used by one task at a time.
public protocol PreviewDecoder {
    /// Appends the bytes that have arrived since the last call.
    ///
    /// Returns a preview if there is a better one: at the size of the final image, in stored orientation, with missing
    /// rows transparent; of an animation, the first frame. Its cost must be proportional to the bytes appended.
    mutating func append(_ bytes: Data) throws -> Bitmap?

    /// Returns the final image after all bytes were appended, equal to that of ordinary decoding.
    mutating func finish() throws -> Bitmap

    /// Returns the part of the image that has arrived, in the form of a preview, if no more bytes will follow; `nil` if
    /// there is none. It is called instead of `finish()`.
    ///
    /// By default it returns `nil`, and the last preview is used.
    mutating func partialBitmap() throws -> Bitmap?

    /// The durations of the complete frames so far; empty for a still, and while only one frame is
    /// complete.
    var frameDurations: [Duration] { get }
}

extension PreviewDecoder {
    /// Returns `nil`.
    public mutating func partialBitmap() throws -> Bitmap? { nil }

    /// Returns no durations, for stills.
    public var frameDurations: [Duration] { [] }
}
