/// The description of an encoded result, which a data cache stores with its bytes.
public struct EncodedFile: Hashable, Sendable, Codable {
    /// The format of the file.
    public var format: ImageFormat

    /// The size in pixels.
    public var size: PixelSize

    /// The number of frames, 1 for a still.
    public var frameCount: Int

    /// The identifier of the bytes: 20 characters of the URL-safe base64 alphabet, which encode the first 15 bytes of
    /// their SHA-256. Equal bytes have equal digests, so that it is a strong entity tag (RFC 9110, section 8.8.3).
    public var digest: String

    /// The notes of the decoder on the image, such as on recoverable defects, and on the first damaged frames of its animation,
    /// and the reason why the file is larger than its original, if it is, one sentence each.
    public var notes: [String]

    /// Creates a description of these values.
    public init(
        format: ImageFormat, size: PixelSize, frameCount: Int = 1, digest: String, notes: [String] = []
    ) {
        self.format = format
        self.size = size
        self.frameCount = frameCount
        self.digest = digest
        self.notes = notes
    }
}
