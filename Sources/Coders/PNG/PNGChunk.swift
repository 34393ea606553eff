#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The four letters that say what a chunk is.
struct PNGChunkName: Hashable, ExpressibleByStringLiteral {
    private let code: UInt32

    /// The name whose big-endian bytes are `code`.
    init(code: UInt32) { self.code = code }

    /// A name of four ASCII letters.
    init(stringLiteral text: String) { code = text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    /// Its letters as a chunk starts with them.
    var bytes: [UInt8] { code.bigEndianBytes }

    /// The start of a file, the end of one, and the pixels of a picture.
    static let header: Self = "IHDR", end: Self = "IEND", pixels: Self = "IDAT"

    /// The start of an animation, of a frame, and the pixels of a frame that is not the picture itself.
    static let animation: Self = "acTL", frame: Self = "fcTL", framePixels: Self = "fdAT"

    /// What pixels are made of besides.
    static let palette: Self = "PLTE", transparency: Self = "tRNS"

    /// What is said of the picture.
    static let exif: Self = "eXIf", profile: Self = "iCCP", standard: Self = "sRGB", gamma: Self = "gAMA",
        chromaticities: Self = "cHRM"
}

/// Where a chunk lies in its file. Its end may be missing.
struct PNGChunk {
    /// What it is.
    let name: PNGChunkName

    /// Where it starts, which is with the length of its body.
    let start: Int

    /// How many bytes its body has.
    let byteCount: Int

    /// Where its body lies.
    var body: Range<Int> { (start + 8)..<(start + 8 + byteCount) }

    /// Where the next one starts.
    var end: Int { start + 12 + byteCount }
}

extension FixedWidthInteger {
    /// The most significant byte first.
    var bigEndianBytes: [UInt8] {
        (1...(Self.bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> (Self.bitWidth - 8 * $0)) }
    }
}
