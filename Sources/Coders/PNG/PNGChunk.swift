import DarkroomPlatform

/// The four-letter type of a chunk.
struct PNGChunkName: Hashable, ExpressibleByStringLiteral {
    /// The four letters as a big-endian number.
    let code: UInt32

    /// Creates the name whose big-endian bytes are `code`.
    init(code: UInt32) { self.code = code }

    /// Creates a name from four ASCII letters.
    init(stringLiteral text: String) { code = text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    /// The four letters as stored in a chunk.
    var bytes: [UInt8] { code.bigEndianBytes }

    /// The header, the end of the file, and the pixels of the default image.
    static let header: Self = "IHDR", end: Self = "IEND", pixels: Self = "IDAT"

    /// The start of an animation, the header of a frame, and the pixels of a frame other than the default image.
    static let animation: Self = "acTL", frame: Self = "fcTL", framePixels: Self = "fdAT"

    /// The palette and its alpha values, or the transparent colour.
    static let palette: Self = "PLTE", transparency: Self = "tRNS"

    /// Text in Latin-1, and in UTF-8.
    static let text: Self = "tEXt", internationalText: Self = "iTXt"

    /// Metadata of the image.
    static let exif: Self = "eXIf", profile: Self = "iCCP", standard: Self = "sRGB", gamma: Self = "gAMA",
        chromaticities: Self = "cHRM", codePoints: Self = "cICP"
}

/// The location of a chunk in its file. Its end may lie beyond the available bytes.
struct PNGChunk {
    /// The type of the chunk.
    let name: PNGChunkName

    /// The offset of the chunk, which begins with the length of its body.
    let start: Int

    /// The length of its body.
    let byteCount: Int

    /// The range of its body.
    var body: Range<Int> { (start + 8)..<(start + 8 + byteCount) }

    /// The offset of the next chunk.
    var end: Int { start + 12 + byteCount }
}

extension FixedWidthInteger {
    /// The bytes of the number, most significant first.
    var bigEndianBytes: [UInt8] {
        (1...(Self.bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> (Self.bitWidth - 8 * $0)) }
    }
}
